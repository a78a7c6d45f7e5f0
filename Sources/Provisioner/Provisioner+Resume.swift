internal import ProvisioningProtocol

/// An attempt that goes on behind a link that broke.
struct LostAttempt: Error {
  /// What the device said last.
  let last: ProvisioningStatus
  let error: CentralError

  /// How long its end is waited for.
  func limit(_ limits: Limits) -> Duration {
    last.isReturning ? limits.session.returning : limits.session.attempt
  }
}

extension Provisioner {
  /// Connects again to learn what became of an attempt.
  ///
  /// A device with one radio for both may drop the link while it joins.
  ///
  /// - Throws: ``ProvisionerError/connectionLost(_:_:)`` with the first loss where the device does
  ///   not come back.
  func resume(_ lost: LostAttempt, on id: DeviceID) async throws -> Outcome {
    report(.linkLost(lost.error))
    do {
      return try await within(lost.limit(limits)) {
        try await self.follow(lost.last, on: id)
      }
    } catch is TimeLimit {
      // The failure is known; only where the device ends up is not.
      if lost.last.isReturning { return Outcome(last: DeviceStatus(lost.last), before: nil) }
      throw ProvisionerError.timedOut(step)
    } catch {
      throw ProvisionerError.connectionLost(step, lost.error)
    }
  }

  private func follow(_ last: ProvisioningStatus, on id: DeviceID) async throws -> Outcome {
    var last = last
    while true {
      let device = try await find(.id(id), within: limits.secondSearch)
      let peer = try await connect(to: device, offering: [.status])
      do {
        let outcome = try await poll(&last, of: peer)
        await release(peer)
        return outcome
      } catch {
        await release(peer)
        guard let error = error as? CentralError, error.code == .linkLost else { throw error }
      }
    }
  }

  /// Reads the status once a second, until it is final.
  private func poll(_ last: inout ProvisioningStatus, of peer: PeerAddress) async throws -> Outcome
  {
    while true {
      let status = try await readStatus(of: peer)
      // Somebody else's attempt says nothing about ours.
      guard status.attempt == last.attempt else { throw CentralError(.failed, "superseded") }
      if status != last {
        report(.status(DeviceStatus(status)))
        if status.isLast {
          return Outcome(last: DeviceStatus(status), told: [last])
        }
        last = status
      }
      try await clock.sleep(for: .seconds(1))
    }
  }
}
