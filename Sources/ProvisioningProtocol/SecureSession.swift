package import CBOR
package import Cryptography

/// What a provisioner does, once it is connected and has read the device information, to have one
/// job done in a secure session.
///
/// A value without clock and bus, like ``ProvisionerSession``: each event gives the actions to run,
/// at most one operation runs at a time, and `finish` is always the last action. It cannot be copied,
/// for a copy would seal with the same keys and numbers.
package struct SecureSession: ~Copyable, Sendable {
  /// What is to be done.
  package enum Job: Equatable, Sendable {
    /// One request, for its result.
    case ask(RequestMethod)
    /// All pages of the networks that the device sees.
    case scan
    /// All pages of the networks that the device keeps.
    case list
    /// Join a network, to the end of the attempt.
    case provision(NetworkDescription)
    /// Hear of an attempt that was asked for before, to its end.
    case follow(attempt: UInt8)
  }

  /// Something for the caller to do.
  package enum Action: Equatable, Sendable {
    /// Subscribe to the session characteristic.
    case subscribe
    /// Write a segment to the session characteristic.
    case write([UInt8])
    /// Each side has proved to the other that it knows the code.
    case opened
    /// Tell what to know of the settings; the device has begun to join.
    case showRisks([Risk])
    /// Tell how far the attempt is; each status once, also the last.
    case showStatus(DeviceStatus)
    case finish(Outcome)
  }

  /// How it ended.
  package enum Outcome: Equatable, Sendable {
    /// The result of the one request.
    case answered(CBORValue)
    case networks(VisibleNetworks)
    case savedNetworks([SavedNetwork])
    /// The device is in the network; a reason is a warning.
    case connected(DeviceStatus)
    /// The device tried and says why not.
    case failed(DeviceStatus)
    /// The device answered the request with a failure.
    case refused(RequestFailure)
    /// The device refused to begin, or a write, with an error of Bluetooth's.
    case notAccepted(Reason)
    /// The code is wrong, or somebody changed what the device says of itself; with how many
    /// guesses are left, where the device said it.
    case wrongCode(guessesLeft: UInt8?)
    case lockedOut(seconds: UInt16)
    /// One side could not go on: somebody interfered, or one of the programs is faulty.
    case aborted(AbortReason)
    /// A result is not what the schema says.
    case notUnderstood(MessageError)
    /// The connection broke, or an operation failed or was not answered.
    case linkLost
    case timedOut
    case cancelled
  }

  package typealias Limits = ProvisionerSession.Limits
  package typealias OperationError = ProvisionerSession.OperationError
  package typealias StopCause = ProvisionerSession.StopCause

  private enum Stage {
    case ready
    case subscribing
    /// The share goes out. What is heard meanwhile is kept: it is looked at when the device has
    /// taken the share, for until then it may be meant for somebody else.
    case sharing(heard: [[UInt8]])
    case awaitingProof
    /// The device is told that its proof is wrong, and may tell how many guesses are left.
    case rejecting
    case asking(request: UInt32)
    /// The attempt's number is known; `request` is the status asked for.
    case following(attempt: UInt8, request: UInt32?)
    case stopping(StopCause, request: UInt32)
    /// The last message, an abort, goes out.
    case leaving(Outcome)
    case finished
  }

  /// How long to wait for the answer to a cancel, or for a last word, before leaving.
  private static let stopLimit = Duration.seconds(2)
  /// How long a device may take for a scan, or to list or forget networks.
  private static let errandLimit = Duration.seconds(45)
  /// How many segments are kept while the share goes out; the device's proof has seven at most.
  private static let heardLimit = 64

  private let limits: Limits
  private let mtu: Int
  private var job: Job
  private var channel: ProvisionerChannel
  private var stage = Stage.ready
  /// What is still to be written, the segment under way first.
  private var segments: [[UInt8]] = []
  private var isWriting = false
  private var lastRequest: UInt32 = 0
  /// How many segments the last request has.
  private var requestSegments = 0
  private var visible = ListCollector<VisibleNetwork>()
  /// What the first page tells of the list.
  private var scan: (age: UInt32, hiddenCount: UInt32)?
  private var saved = ListCollector<SavedNetwork>()
  private var shown: DeviceStatus?
  private var operationDeadline: Duration?
  private var attemptDeadline: Duration?

  /// - Parameters:
  ///   - information: the value of the device information as it was read, byte for byte.
  ///   - mtu: of the connection.
  ///   - scalar: nil for a random one; only test vectors may fix it.
  package init(
    _ job: Job, deviceID: DeviceID, information: [UInt8],
    credentials: SPAKE2Plus.Credentials, mtu: Int, limits: Limits = Limits(),
    scalar: P256Scalar? = nil
  ) throws(CryptographyError) {
    self.job = job
    self.mtu = mtu
    self.limits = limits
    let context = try SPAKE2Plus.Context(deviceID: deviceID, information: information)
    let prover =
      if let scalar {
        try SPAKE2Plus.Prover(credentials: credentials, context: context, scalar: scalar)
      } else {
        try SPAKE2Plus.Prover(credentials: credentials, context: context)
      }
    channel = ProvisionerChannel(prover)
  }

  /// When to call `advance`; nil before the start and after the end.
  package var deadline: Duration? {
    switch stage {
    case .finished: return nil
    case .leaving: return operationDeadline
    default: return [operationDeadline, attemptDeadline, channel.deadline].compactMap(\.self).min()
    }
  }
}

// MARK: - Answers of Bluetooth

extension SecureSession {
  /// Starts, on a connection whose services are known.
  package mutating func begin(at now: Duration) -> [Action] {
    guard case .ready = stage else { return [] }
    stage = .subscribing
    operationDeadline = now + limits.operation
    return [.subscribe]
  }

  /// The subscription stands.
  package mutating func subscribed(at now: Duration) -> [Action] {
    guard case .subscribing = stage else { return [] }
    stage = .sharing(heard: [])
    return send(channel.share, at: now)
  }

  /// The write that was asked for is accepted.
  package mutating func wrote(at now: Duration) -> [Action] {
    guard isWriting else { return [] }
    isWriting = false
    segments = Array(segments.dropFirst())
    let next = writeNext(at: now)
    switch stage {
    case .sharing(let heard) where segments.isEmpty:
      stage = .awaitingProof
      return heard.reduce(into: next) { $0 += notified($1, at: now) }
    // What came before the first segment was taken was not meant for this session.
    case .sharing: stage = .sharing(heard: [])
    case .leaving(let outcome) where segments.isEmpty: return finish(outcome)
    default: break
    }
    return next
  }

  /// The operation that was asked for failed.
  package mutating func failed(_ error: OperationError, at now: Duration) -> [Action] {
    switch stage {
    case .finished, .ready: return []
    case .leaving(let outcome): return finish(outcome)
    case .stopping(let cause, _): return finish(cause)
    case .rejecting: return finish(.wrongCode(guessesLeft: nil))
    case .subscribing, .sharing, .awaitingProof, .asking, .following: break
    }
    switch error {
    case .application(let error): return finish(.notAccepted(error.reason))
    case .notPaired, .other: return finish(.linkLost)
    }
  }

  /// The connection is gone.
  package mutating func disconnected() -> [Action] {
    switch stage {
    case .finished: []
    case .leaving(let outcome): finish(outcome)
    case .stopping(let cause, _): finish(cause)
    case .rejecting: finish(.wrongCode(guessesLeft: nil))
    default: finish(.linkLost)
    }
  }

  private mutating func send(_ message: SessionMessage, at now: Duration) -> [Action] {
    // Messages are within the length of one: the records see to it.
    segments += (try? SegmentWriter.segments(of: message.encoded, mtu: mtu)) ?? []
    return isWriting ? [] : writeNext(at: now)
  }

  private mutating func writeNext(at now: Duration) -> [Action] {
    guard let segment = segments.first else { return [] }
    isWriting = true
    operationDeadline = max(operationDeadline ?? now, now + limits.operation)
    return [.write(segment)]
  }
}

// MARK: - What the device says

extension SecureSession {
  /// A segment was notified.
  package mutating func notified(_ segment: [UInt8], at now: Duration) -> [Action] {
    switch stage {
    case .ready, .subscribing, .leaving, .finished: return []
    case .sharing(var heard):
      guard heard.count < Self.heardLimit else { return [] }
      heard.append(segment)
      stage = .sharing(heard: heard)
      return []
    case .awaitingProof, .rejecting, .asking, .following, .stopping: break
    }
    var actions: [Action] = []
    do throws(SegmentReader.SegmentError) {
      for segment in try channel.sort(segment, at: now) {
        actions += take(next: segment, at: now)
      }
    } catch {
      actions += abort(error == .silence ? .timedOut : .malformed, at: now)
    }
    return actions
  }

  private mutating func take(next segment: [UInt8], at now: Duration) -> [Action] {
    switch stage {
    // The segment before has ended the session.
    case .leaving, .finished: return []
    default: break
    }
    switch channel.receive(segment, at: now) {
    case .none: return []
    case .opened(let proof):
      return [.opened] + send(proof, at: now) + start(at: now)
    case .message(let message): return take(message, at: now)
    case .abort(.wrongCode):
      stage = .rejecting
      operationDeadline = now + limits.operation
      return send(.abort(.wrongCode(guessesLeft: nil)), at: now)
    case .abort(let reason): return abort(reason, at: now)
    case .ended(let reason): return finish(outcome(of: reason))
    }
  }

  private mutating func abort(_ reason: AbortReason, at now: Duration) -> [Action] {
    switch stage {
    case .rejecting: finish(.wrongCode(guessesLeft: nil))
    case .stopping(let cause, _): finish(cause)
    default: leave(.aborted(reason), saying: reason, at: now)
    }
  }

  private func outcome(of reason: AbortReason) -> Outcome {
    switch (stage, reason) {
    case (.awaitingProof, .wrongCode(let left)), (.rejecting, .wrongCode(let left)):
      .wrongCode(guessesLeft: left)
    case (.rejecting, _): .wrongCode(guessesLeft: nil)
    case (.awaitingProof, .lockedOut(let seconds)): .lockedOut(seconds: seconds)
    case (.awaitingProof, .busy): .notAccepted(.busy)
    case (.awaitingProof, .notEnabled): .notAccepted(.unsupported)
    case (.stopping(let cause, _), _): cause == .cancelled ? .cancelled : .timedOut
    // The code was right, so whoever says otherwise now is not the device.
    default: .aborted(reason)
    }
  }

  private mutating func start(at now: Duration) -> [Action] {
    switch job {
    case .ask(let method): return ask(method, at: now)
    case .scan: return ask(.scan(from: 0), at: now)
    case .list: return ask(.list(from: 0), at: now)
    case .provision(let network):
      attemptDeadline = now + limits.attempt
      // The session needs the password no more.
      job = .provision(NetworkDescription(ssid: network.ssid))
      return ask(.provision(network), at: now)
    case .follow(let attempt):
      attemptDeadline = now + limits.attempt
      return askStatus(of: attempt, at: now)
    }
  }

  private mutating func askStatus(of attempt: UInt8, at now: Duration) -> [Action] {
    let (actions, request) = request(.status, at: now)
    guard let request else { return actions }
    stage = .following(attempt: attempt, request: request)
    operationDeadline = now + limits.operation
    return actions
  }

  private mutating func ask(_ method: RequestMethod, at now: Duration) -> [Action] {
    let (actions, request) = request(method, at: now)
    guard let request else { return actions }
    stage = .asking(request: request)
    let limit =
      switch method {
      case .scan(from: 0), .list(from: 0), .forget: Self.errandLimit
      default: limits.operation
      }
    operationDeadline = now + limit
    return actions
  }

  /// Sends a request, and gives its id; nil where the session has ended over it.
  private mutating func request(
    _ method: RequestMethod, at now: Duration
  ) -> (actions: [Action], id: UInt32?) {
    lastRequest += 1
    guard let message = channel.seal(SealedRequest(id: lastRequest, method)) else {
      return (leave(.aborted(.malformed), saying: .malformed, at: now), nil)
    }
    let before = segments.count
    let actions = send(message, at: now)
    requestSegments = segments.count - before
    return (actions, lastRequest)
  }

  private mutating func take(_ message: DeviceMessage, at now: Duration) -> [Action] {
    switch (stage, message) {
    case (.asking(let request), .response(let id, let result)) where id == request:
      switch result {
      case .success(let value): return take(value, at: now)
      case .failure(let failure): return finish(.refused(failure))
      }
    case (.following(let attempt, let request?), .response(let id, let result))
    where id == request:
      stage = .following(attempt: attempt, request: nil)
      operationDeadline = now + limits.quiet
      guard case .success(let value) = result, let status = try? DeviceStatus(value) else {
        return []
      }
      return follow(status, attempt: attempt, at: now)
    case (.following(let attempt, let request), .status(let status)):
      if request == nil { operationDeadline = now + limits.quiet }
      return follow(status, attempt: attempt, at: now)
    case (.stopping(let cause, let request), .response(let id, _)) where id == request:
      return finish(cause)
    default: return []
    }
  }

  private mutating func take(_ result: CBORValue, at now: Duration) -> [Action] {
    do throws(MessageError) {
      switch job {
      case .ask, .follow: return finish(.answered(result))
      case .scan:
        let page = try ScanPage(result)
        let scan = scan ?? (page.age, page.hiddenCount)
        self.scan = scan
        if let next = visible.take(page.page) { return ask(.scan(from: next), at: now) }
        return finish(
          .networks(
            VisibleNetworks(
              networks: visible.items, age: scan.age, hiddenCount: scan.hiddenCount)))
      case .list:
        guard let next = saved.take(try ListPage(result)) else {
          return finish(.savedNetworks(saved.items))
        }
        return ask(.list(from: next), at: now)
      case .provision:
        let answer = try ProvisionAnswer(result)
        stage = .following(attempt: answer.attempt, request: nil)
        operationDeadline = now + limits.quiet
        // Certificates may have taken a while to send.
        attemptDeadline = now + limits.attempt
        return answer.risks.isEmpty ? [] : [.showRisks(answer.risks)]
      }
    } catch {
      return finish(.notUnderstood(error))
    }
  }

  private mutating func follow(
    _ status: DeviceStatus, attempt: UInt8, at now: Duration
  ) -> [Action] {
    guard status.value.attempt == attempt, status != shown else { return [] }
    if status.value.isReturning, shown?.value.isReturning != true {
      attemptDeadline = now + limits.returning
    }
    shown = status
    guard status.value.isLast else { return [.showStatus(status)] }
    let isConnected = status.value.state == .connected
    return [.showStatus(status)] + finish(isConnected ? .connected(status) : .failed(status))
  }
}

// MARK: - The end

extension SecureSession {
  /// Ends early; a device that has the request to join is told first, for two seconds at most, and a
  /// second stop does not wait for that.
  package mutating func stop(_ cause: StopCause, at now: Duration) -> [Action] {
    switch stage {
    case .finished: return []
    case .asking, .following:
      switch job {
      case .ask, .scan, .list: return finish(cause)
      case .provision, .follow: break
      }
      // What has not gone out yet need not be taken back.
      if segments.count - (isWriting ? 1 : 0) >= requestSegments { return finish(cause) }
      attemptDeadline = nil
      let (actions, request) = request(.cancel, at: now)
      guard let request else { return actions }
      stage = .stopping(cause, request: request)
      operationDeadline = now + Self.stopLimit
      return actions
    default: return finish(cause)
    }
  }

  /// Ends, or asks again, what has taken too long by `now`.
  package mutating func advance(to now: Duration) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    if let attemptDeadline, now >= attemptDeadline {
      self.attemptDeadline = nil
      // The failure is known; only where the device ends up is not.
      if case .following = stage, let shown, shown.value.isReturning {
        return finish(.failed(shown))
      }
      return stop(.timedOut, at: now)
    }
    if case .leaving(let outcome) = stage { return finish(outcome) }
    if let limit = channel.deadline, now >= limit {
      return leave(.aborted(.timedOut), saying: .timedOut, at: now)
    }
    switch stage {
    case .following(let attempt, request: nil) where !isWriting:
      return askStatus(of: attempt, at: now)
    case .stopping(let cause, _): return finish(cause)
    case .rejecting: return finish(.wrongCode(guessesLeft: nil))
    default: return finish(.linkLost)
    }
  }

  /// Ends after a last word to the device.
  private mutating func leave(
    _ outcome: Outcome, saying reason: AbortReason, at now: Duration
  ) -> [Action] {
    stage = .leaving(outcome)
    attemptDeadline = nil
    // The device drops a message that is broken off, so what has not begun is left out.
    segments = isWriting ? Array(segments.prefix(1)) : []
    let actions = send(.abort(reason), at: now)
    operationDeadline = now + Self.stopLimit
    return actions
  }

  private mutating func finish(_ cause: StopCause) -> [Action] {
    finish(cause == .cancelled ? Outcome.cancelled : Outcome.timedOut)
  }

  private mutating func finish(_ outcome: Outcome) -> [Action] {
    stage = .finished
    segments = []
    isWriting = false
    operationDeadline = nil
    attemptDeadline = nil
    return [.finish(outcome)]
  }
}
