package import ProvisioningProtocol

extension Provisioner {
  /// How an attempt to join a network ended.
  package struct Outcome: Sendable, Equatable {
    /// The device's last word.
    package let last: DeviceStatus
    /// The last status that was no end, if the device told one: where a failed attempt got to.
    package let before: ProvisioningStatus?

    package init(last: DeviceStatus, before: ProvisioningStatus?) {
      self.last = last
      self.before = before
    }

    /// Takes what the device told, in order.
    init(last: DeviceStatus, told: [ProvisioningStatus]) {
      self.init(last: last, before: told.last { !$0.state.isFinal })
    }
  }

  /// Has a device join a network.
  ///
  /// It never falls back to plain writes by itself. A cancelled task makes a device that tries already stop, for two seconds at most.
  ///
  /// - Parameters:
  ///   - network: plain writes carry its name and password alone.
  ///   - access: how the device is made to take them.
  /// - Returns: how the attempt ended, also when it failed.
  /// - Throws: what ended the command before the device had a result.
  package func connect(
    _ name: DeviceName, to network: NetworkDescription, access: Access
  ) async throws(ProvisionerError) -> Outcome {
    switch access {
    case .code(let code): try await connect(name, to: network, code)
    case .insecure: try await connectInsecurely(name, to: network.ssid, network.password)
    }
  }

  private func connectInsecurely(
    _ name: DeviceName, to ssid: SSID, _ password: WiFiPassword
  ) async throws(ProvisionerError) -> Outcome {
    let session = ProvisionerSession(ssid: ssid, password: password, limits: limits.session)
    return try await withDevice(
      name, offering: Set(ProvisioningService.plain.characteristics + [.information]),
      checking: { device in
        // Nothing is asked of a device that will not take the credentials.
        guard device.advertisement.flags.contains(.plainAccepted) else {
          throw ProvisionerError.refused(.search, .reason(.setupCodeRequired))
        }
      },
      { peer, id in
        do {
          return try await self.run(session, on: peer)
        } catch let lost as LostAttempt {
          return try await self.resume(lost, on: id)
        }
      })
  }

  private func run(
    _ session: ProvisionerSession, on peer: PeerAddress
  ) async throws -> Outcome {
    let (events, inbox) = AsyncStream.makeStream(of: SessionEvent.self)
    // In a task of its own, for a cancelled one could not tell the device to stop.
    let runner = Task(executorPreference: executor) {
      try await self.run(session, on: peer, events, inbox)
    }
    return try await withTaskCancellationHandler {
      try await runner.value
    } onCancel: {
      inbox.yield(.stop)
    }
  }

  private func run(
    _ session: ProvisionerSession, on peer: PeerAddress, _ events: AsyncStream<SessionEvent>,
    _ inbox: AsyncStream<SessionEvent>.Continuation
  ) async throws -> Outcome {
    var session = session
    var link = SessionLink(
      port: port, peer: peer, clock: clock, executor: executor, inbox: inbox)
    defer { link.close() }
    var told: [ProvisioningStatus] = []
    var error: CentralError?

    var actions = session.begin(at: link.now)
    var iterator = events.makeAsyncIterator()
    while true {
      for action in actions {
        switch action {
        case .showInformation(let information): report(.information(information))
        case .showStatus(let status):
          told.append(status)
          report(.status(DeviceStatus(status)))
        case .finish(let outcome): return try result(outcome, told, error)
        case .subscribe, .read, .pair, .writeSSID, .writePassword, .writeControl:
          note(action)
          link.perform(action)
        }
      }
      link.wake(at: session.deadline)
      guard let event = await iterator.next() else { throw CancellationError() }
      switch event {
      case .failed(let cause), .linkLost(let cause): error = cause
      case .wrote where step == .sendControl: enter(.awaitOutcome)
      case .wrote, .subscribed, .read, .paired, .notified, .deadline, .stop: break
      }
      actions = session.take(event, at: link.now)
    }
  }

  /// Notes what is being done, for messages.
  private func note(_ action: ProvisionerSession.Action) {
    switch action {
    case .subscribe: enter(.subscribe)
    case .read(.information): enter(.readInformation)
    case .read: enter(.readStatus)
    case .pair:
      enter(.pair)
      report(.pairing)
    case .writeSSID:
      enter(.sendSSID)
      report(.sendingCredentials)
    case .writePassword: enter(.sendPassword)
    case .writeControl: enter(.sendControl)
    case .showInformation, .showStatus, .finish: break
    }
  }

  private func result(
    _ outcome: ProvisionerSession.Outcome, _ told: [ProvisioningStatus], _ error: CentralError?
  ) throws -> Outcome {
    switch outcome {
    case .connected(let status), .failed(let status):
      return Outcome(last: DeviceStatus(status), told: told)
    case .refused(let reason): throw ProvisionerError.refused(step, .reason(reason))
    case .pairingRequired: throw error ?? CentralError(.pairingRequired)
    case .notUnderstood(.information(let error)):
      throw ProvisionerError.malformed(.information, error.words)
    case .notUnderstood(.status(let error)):
      throw ProvisionerError.malformed(.status, error.words)
    case .linkLost where step == .pair && (error?.code ?? .timedOut) == .timedOut:
      throw ProvisionerError.timedOut(.pair)
    case .linkLost:
      let error = error ?? CentralError(.timedOut, "the device did not answer")
      if let last = told.last { throw LostAttempt(last: last, error: error) }
      throw error
    case .timedOut: throw TimeLimit()
    case .cancelled: throw CancellationError()
    }
  }
}

extension ProvisionerSession {
  /// Takes note of an event.
  fileprivate mutating func take(_ event: SessionEvent, at now: Duration) -> [Action] {
    switch event {
    case .subscribed: subscribed(at: now)
    case .read(let value): read(value, at: now)
    case .wrote: wrote(at: now)
    case .paired: paired(at: now)
    case .failed(let error): failed(OperationError(error), at: now)
    case .notified(let value): notified(value, at: now)
    case .linkLost: disconnected()
    case .deadline: advance(to: now)
    case .stop: stop(.cancelled, at: now)
    }
  }
}

extension ProvisionerSession.OperationError {
  init(_ error: CentralError) {
    switch error.code {
    case .attribute(let code):
      self = ApplicationError(rawValue: code).map(Self.application) ?? .other
    case .pairingRequired, .pairingFailed, .passkeyRequired: self = .notPaired
    case .adapter, .transient, .unknownPeer, .linkLost, .timedOut, .failed: self = .other
    }
  }
}
