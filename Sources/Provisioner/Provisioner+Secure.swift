internal import CBOR
internal import Cryptography
package import ProvisioningProtocol

extension Provisioner {
  /// What a device offers beyond its information, proved by its setup code.
  package func details(
    of name: DeviceName, _ code: GivenCode
  ) async throws(ProvisionerError) -> DeviceDetails {
    let result = try await ask(.info, of: name, code)
    return try read { () throws(MessageError) in try DeviceDetails(result) }
  }

  /// Where a device is with its Wi-Fi, with what is not for everybody's ears.
  package func status(
    of name: DeviceName, _ code: GivenCode
  ) async throws(ProvisionerError) -> DeviceStatus {
    let result = try await ask(.status, of: name, code)
    return try read { () throws(MessageError) in try DeviceStatus(result) }
  }

  /// The networks that a device sees, strongest first.
  package func networks(
    of name: DeviceName, _ code: GivenCode
  ) async throws(ProvisionerError) -> VisibleNetworks {
    guard case .networks(let networks) = try await run(.scan, on: name, code) else {
      return VisibleNetworks()
    }
    return networks
  }

  /// The networks that a device keeps.
  package func savedNetworks(
    of name: DeviceName, _ code: GivenCode
  ) async throws(ProvisionerError) -> [SavedNetwork] {
    guard case .savedNetworks(let networks) = try await run(.list, on: name, code) else {
      return []
    }
    return networks
  }

  /// Has a device stop its attempt.
  package func cancel(
    _ name: DeviceName, _ code: GivenCode
  ) async throws(ProvisionerError) {
    _ = try await ask(.cancel, of: name, code)
  }

  /// Has a device make itself noticed.
  package func identify(
    _ name: DeviceName, _ code: GivenCode
  ) async throws(ProvisionerError) {
    _ = try await ask(.identify, of: name, code)
  }

  /// Has a device forget a network.
  ///
  /// - Returns: how many profiles of it there were.
  package func forget(
    _ ssid: SSID, on name: DeviceName, _ code: GivenCode
  ) async throws(ProvisionerError) -> Int {
    let result = try await ask(.forget(ssid), of: name, code)
    return try read { () throws(MessageError) in try result.number() }
  }

  /// Has a device join a network, in a secure session.
  func connect(
    _ name: DeviceName, to network: NetworkDescription, _ code: GivenCode
  ) async throws(ProvisionerError) -> Outcome {
    try await stretching(code, for: name) { peer, id, stretching in
      do {
        return try await self.join(.provision(network), id, stretching, on: peer)
      } catch let lost as LostAttempt {
        return try await self.resume(lost, id, stretching)
      }
    }
  }

  private static let needed: Set<ProvisioningCharacteristic> = [.information, .session]

  private func ask(
    _ method: RequestMethod, of name: DeviceName, _ code: GivenCode
  ) async throws(ProvisionerError) -> CBORValue {
    guard case .answered(let result) = try await run(.ask(method), on: name, code) else {
      return .null
    }
    return result
  }

  private func run(
    _ job: SecureSession.Job, on name: DeviceName, _ code: GivenCode
  ) async throws(ProvisionerError) -> SecureSession.Outcome {
    try await stretching(code, for: name) { peer, id, stretching in
      try await self.run(job, id, stretching, on: peer).outcome
    }
  }

  private func read<Value>(
    _ body: () throws(MessageError) -> Value
  ) throws(ProvisionerError) -> Value {
    do throws(MessageError) {
      return try body()
    } catch {
      throw .malformed(.session, error.words)
    }
  }
}

// MARK: - Sessions

extension Provisioner {
  /// What became of a job, and what the device told on the way.
  private struct Run {
    var outcome: SecureSession.Outcome
    var told: [DeviceStatus]
  }

  /// Runs `body` with the device, and stretches the code meanwhile: from the start where it is known
  /// for which device, otherwise when that is found.
  private func stretching<Value: Sendable>(
    _ code: GivenCode, for name: DeviceName,
    _ body: @escaping @Sendable (PeerAddress, DeviceID, Stretching) async throws -> Value
  ) async throws(ProvisionerError) -> Value {
    let stretching = Stretching(code.code)
    let named: DeviceID? = if case .id(let id) = name { id } else { code.deviceID }
    if let named { stretching.begin(for: named) }
    do throws(ProvisionerError) {
      let value = try await withDevice(
        name, offering: Self.needed,
        checking: { device in
          let id = device.advertisement.deviceID
          try code.check(id)
          stretching.begin(for: id)
        },
        { peer, id in try await body(peer, id, stretching) })
      await stretching.end()
      return value
    } catch {
      await stretching.end()
      throw error
    }
  }

  /// Reads what the device says of itself, byte for byte, and how its code is to be stretched.
  private func readSecureInformation(
    of peer: PeerAddress, _ id: DeviceID
  ) async throws -> (information: [UInt8], stretching: CodeStretching) {
    let (value, information) = try await readInformation(of: peer)
    report(.information(information))
    // The handshake would fail as well, but blame the code.
    guard information.deviceID == id else {
      throw ProvisionerError.malformed(
        .information, "its device id is \(information.deviceID), not \(id)")
    }
    guard information.profiles.contains(.secure), let asked = information.stretching else {
      throw information.profiles.isEmpty
        ? ProvisionerError.refused(.readInformation, .reason(.unsupported)) : .insecureOnly
    }
    enter(.handshake)
    report(.proving)
    return (value, asked)
  }

  private func join(
    _ job: SecureSession.Job, _ id: DeviceID, _ stretching: Stretching, on peer: PeerAddress
  ) async throws -> Outcome {
    let run = try await run(job, id, stretching, on: peer)
    switch run.outcome {
    case .connected(let status), .failed(let status):
      return Outcome(last: status, told: run.told.map(\.value))
    default: throw ProvisionerError.sessionBroken(step, .malformed)
    }
  }

  /// Connects again to learn what became of an attempt; only a sealed answer counts.
  private func resume(
    _ lost: LostAttempt, _ id: DeviceID, _ stretching: Stretching
  ) async throws -> Outcome {
    report(.linkLost(lost.error))
    do {
      return try await within(lost.limit(limits)) {
        try await self.follow(lost.last.attempt, id, stretching)
      }
    } catch is TimeLimit {
      // The failure is known; only where the device ends up is not.
      if lost.last.isReturning { return Outcome(last: DeviceStatus(lost.last), before: nil) }
      throw ProvisionerError.timedOut(step)
    } catch {
      throw ProvisionerError.connectionLost(step, lost.error)
    }
  }

  private func follow(
    _ attempt: UInt8, _ id: DeviceID, _ stretching: Stretching
  ) async throws -> Outcome {
    while true {
      let device = try await find(.id(id), within: limits.secondSearch)
      let peer = try await connect(to: device, offering: Self.needed)
      do {
        let outcome = try await join(.follow(attempt: attempt), id, stretching, on: peer)
        await release(peer)
        return outcome
      } catch {
        await release(peer)
        let code = (error as? CentralError)?.code
        guard error is LostAttempt || code == .linkLost else { throw error }
      }
    }
  }

  private func run(
    _ job: SecureSession.Job, _ id: DeviceID, _ stretching: Stretching, on peer: PeerAddress
  ) async throws -> Run {
    let (events, inbox) = AsyncStream.makeStream(of: SessionEvent.self)
    var link = SessionLink(
      port: port, peer: peer, clock: clock, executor: executor, inbox: inbox)
    // Ahead of the session, which asks for it first of all, and beside the reading.
    link.perform(SecureSession.Action.subscribe)
    defer { link.close() }
    let (information, asked) = try await readSecureInformation(of: peer, id)
    // In a task of its own, for a cancelled one could not tell the device to stop.
    let runner = Task(executorPreference: executor) { [link] in
      try await self.run(
        job, id, information, try await stretching.credentials(for: id, by: asked), link, events)
    }
    return try await withTaskCancellationHandler {
      try await runner.value
    } onCancel: {
      inbox.yield(.stop)
    }
  }

  private func run(
    _ job: SecureSession.Job, _ id: DeviceID, _ information: [UInt8],
    _ credentials: SPAKE2Plus.Credentials, _ link: SessionLink, _ events: AsyncStream<SessionEvent>
  ) async throws -> Run {
    var link = link
    defer { link.close() }
    var session = try SecureSession(
      job, deviceID: id, information: information, credentials: credentials,
      // Three bytes of the MTU are not the value's.
      mtu: await port.writeLength(for: .session, of: link.peer) + 3, limits: limits.session)
    var told: [DeviceStatus] = []
    var error: CentralError?

    var actions = session.begin(at: link.now)
    var iterator = events.makeAsyncIterator()
    while true {
      for action in actions {
        switch action {
        case .opened:
          report(.secured)
          enter(.request)
          if case .provision = job { report(.sendingCredentials) }
        case .showRisks(let risks): report(.risks(risks))
        case .showStatus(let status):
          // The device has the request.
          enter(.awaitOutcome)
          told.append(status)
          report(.status(status))
        case .finish(let outcome):
          try check(outcome, told, error)
          return Run(outcome: outcome, told: told)
        case .subscribe: break
        case .write: link.perform(action)
        }
      }
      link.wake(at: session.deadline)
      guard let event = await iterator.next() else { throw CancellationError() }
      switch event {
      case .failed(let cause), .linkLost(let cause): error = cause
      case .subscribed, .read, .wrote, .paired, .notified, .deadline, .stop: break
      }
      actions = session.take(event, at: link.now)
    }
  }

  /// Throws unless the session came to what was wanted.
  private func check(
    _ outcome: SecureSession.Outcome, _ told: [DeviceStatus], _ error: CentralError?
  ) throws {
    switch outcome {
    case .answered, .networks, .savedNetworks, .connected, .failed: return
    case .refused(let failure): throw ProvisionerError.refused(step, .failure(failure))
    case .notAccepted(let reason): throw ProvisionerError.refused(step, .reason(reason))
    case .wrongCode(let left):
      throw ProvisionerError.wrongCode(guessesLeft: left.map { Int($0) })
    case .lockedOut(let seconds): throw ProvisionerError.lockedOut(seconds: Int(seconds))
    case .aborted(let reason): throw ProvisionerError.sessionBroken(step, reason)
    case .notUnderstood(let error): throw ProvisionerError.malformed(.session, error.words)
    case .linkLost:
      let error = error ?? CentralError(.timedOut, "the device did not answer")
      if let last = told.last { throw LostAttempt(last: last.value, error: error) }
      throw error
    case .timedOut: throw TimeLimit()
    case .cancelled: throw CancellationError()
    }
  }
}

extension SecureSession {
  /// Takes note of an event.
  fileprivate mutating func take(_ event: SessionEvent, at now: Duration) -> [Action] {
    switch event {
    case .subscribed: subscribed(at: now)
    case .wrote: wrote(at: now)
    case .failed(let error): failed(OperationError(error), at: now)
    case .notified(let segment): notified(segment, at: now)
    case .linkLost: disconnected()
    case .deadline: advance(to: now)
    case .stop: stop(.cancelled, at: now)
    case .read, .paired: []
    }
  }
}
