/// What a provisioner does, once it is connected, to bring a device into a network by plain writes.
///
/// A value without clock and bus: each event is a method that changes the session and gives the
/// actions to run, in order. At most one operation runs at a time; its end comes back as `subscribed`,
/// `read`, `wrote`, `paired` or `failed`. Times are durations since any fixed start. The caller runs `advance`
/// when `deadline` has come, and disconnects after `finish`, which is always the last action.
package struct ProvisionerSession: Sendable {
  /// How long to wait for what.
  package struct Limits: Hashable, Sendable {
    /// For one read, write or subscription.
    package var operation: Duration
    /// For the device's result after the request; longer than a device needs to give up by itself,
    /// for its reason says more.
    package var attempt: Duration
    /// For a device to be back in the network before, or to say that it is not; longer than a device
    /// needs to give up by itself.
    package var returning: Duration
    /// Without news of an attempt, until the status is read instead.
    package var quiet: Duration
    /// For pairing, in which a person may have to type a passkey.
    package var pairing: Duration

    package init(
      operation: Duration = .seconds(15), attempt: Duration = .seconds(150),
      returning: Duration = .seconds(45), quiet: Duration = .seconds(5),
      pairing: Duration = .seconds(65)
    ) {
      self.operation = operation
      self.attempt = attempt
      self.returning = returning
      self.quiet = quiet
      self.pairing = pairing
    }
  }

  /// Something for the caller to do.
  package enum Action: Equatable, Sendable {
    /// Subscribe to the status.
    case subscribe
    case read(ProvisioningCharacteristic)
    /// Pair with the device, or see to it that the link is encrypted by an earlier pairing.
    case pair
    case writeSSID(SSID)
    case writePassword(WiFiPassword)
    case writeControl(ControlOpcode)
    /// Tell what the device says of itself.
    case showInformation(DeviceInformation)
    /// Tell how far the attempt is; each status once, also the last.
    case showStatus(ProvisioningStatus)
    case finish(Outcome)
  }

  /// How it ended.
  package enum Outcome: Hashable, Sendable {
    /// The device is in the network; a reason is a warning.
    case connected(ProvisioningStatus)
    /// The device tried and says why not.
    case failed(ProvisioningStatus)
    /// The device refused a write, or says that it would.
    case refused(Reason)
    /// The device wants a paired link, and there is none.
    case pairingRequired
    /// The device speaks another version, or not this protocol.
    case notUnderstood(Misunderstanding)
    /// The connection broke, or an operation failed or was not answered.
    case linkLost
    case timedOut
    case cancelled
  }

  /// What could not be read.
  package enum Misunderstanding: Hashable, Sendable {
    case information(DeviceInformation.DecodingError)
    case status(ProvisioningStatus.DecodingError)
  }

  /// Why an operation failed.
  package enum OperationError: Error, Hashable, Sendable {
    case application(ApplicationError)
    /// The link is not encrypted well enough, or cannot be.
    case notPaired
    case other
  }

  /// Why to stop before the end.
  package enum StopCause: Hashable, Sendable {
    case cancelled
    case timedOut
  }

  private enum Stage {
    case ready
    case subscribing
    case readingInformation
    case pairing
    case writingSSID
    case writingPassword
    /// The attempt that the status has before the request, to tell this one's from it.
    case readingStatus
    case requesting(attempt: UInt8, then: StopCause?)
    case following(attempt: UInt8, reading: Bool)
    /// The error may be another's stand-in, so the status is asked.
    case readingRefusal
    case stopping(StopCause)
    case finished
  }

  /// How long to wait for the answer to a cancel before leaving.
  private static let stopLimit = Duration.seconds(2)

  private let ssid: SSID
  private var password: WiFiPassword
  private let limits: Limits
  private var stage = Stage.ready
  private var shown: ProvisioningStatus?
  private var operationDeadline: Duration?
  private var attemptDeadline: Duration?

  package init(ssid: SSID, password: WiFiPassword, limits: Limits = Limits()) {
    self.ssid = ssid
    self.password = password
    self.limits = limits
  }

  /// When to call `advance`; nil before the start and after the end.
  package var deadline: Duration? {
    [operationDeadline, attemptDeadline].compactMap(\.self).min()
  }
}

// MARK: - Answers

extension ProvisionerSession {
  /// Starts, on a connection whose services are known.
  package mutating func begin(at now: Duration) -> [Action] {
    guard case .ready = stage else { return [] }
    return go(to: .subscribing, .subscribe, at: now)
  }

  /// The subscription stands.
  package mutating func subscribed(at now: Duration) -> [Action] {
    guard case .subscribing = stage else { return [] }
    return go(to: .readingInformation, .read(.information), at: now)
  }

  /// The link is paired.
  package mutating func paired(at now: Duration) -> [Action] {
    guard case .pairing = stage else { return [] }
    return go(to: .writingSSID, .writeSSID(ssid), at: now)
  }

  /// The write that was asked for is accepted.
  package mutating func wrote(at now: Duration) -> [Action] {
    switch stage {
    case .writingSSID where !password.isEmpty:
      return go(to: .writingPassword, .writePassword(password), at: now)
    case .writingSSID, .writingPassword:
      password = .none
      return go(to: .readingStatus, .read(.status), at: now)
    case .requesting(_, then: let cause?):
      return go(to: .stopping(cause), .writeControl(.cancel), at: now, limit: Self.stopLimit)
    case .requesting(let attempt, then: nil):
      stage = .following(attempt: attempt, reading: false)
      operationDeadline = now + limits.quiet
      return []
    case .stopping(let cause): return finish(cause)
    case .ready, .subscribing, .readingInformation, .pairing, .readingStatus, .following,
      .readingRefusal, .finished:
      return []
    }
  }

  /// The read that was asked for gave a value.
  package mutating func read(_ value: [UInt8], at now: Duration) -> [Action] {
    switch stage {
    case .readingInformation: return informed(value, at: now)
    case .readingStatus:
      do throws(ProvisioningStatus.DecodingError) {
        let status = try ProvisioningStatus(decoding: value)
        let attempt = ProvisioningStatus.attempt(after: status.attempt)
        attemptDeadline = now + limits.attempt
        return go(to: .requesting(attempt: attempt, then: nil), .writeControl(.connect), at: now)
      } catch {
        return finish(.notUnderstood(.status(error)))
      }
    case .following(let attempt, reading: true):
      stage = .following(attempt: attempt, reading: false)
      operationDeadline = now + limits.quiet
      return follow(value, attempt: attempt, at: now)
    case .readingRefusal:
      let reason = (try? ProvisioningStatus(decoding: value))?.reason ?? .busy
      return finish(.refused(ApplicationError(reason: reason)?.reason ?? .busy))
    case .ready, .subscribing, .pairing, .writingSSID, .writingPassword, .requesting, .following,
      .stopping, .finished:
      return []
    }
  }

  /// The operation that was asked for failed.
  package mutating func failed(_ error: OperationError, at now: Duration) -> [Action] {
    let isWrite: Bool
    switch stage {
    case .ready, .finished, .following(_, reading: false): return []
    case .stopping(let cause), .requesting(_, then: let cause?): return finish(cause)
    case .readingRefusal: return finish(.refused(.busy))
    case .writingSSID, .writingPassword, .requesting: isWrite = true
    case .subscribing, .readingInformation, .pairing, .readingStatus, .following: isWrite = false
    }
    switch error {
    // Before BlueZ 5.66 every error arrives as this one.
    case .application(.busy) where isWrite:
      return go(to: .readingRefusal, .read(.status), at: now)
    case .application(let error) where isWrite: return finish(.refused(error.reason))
    case .notPaired: return finish(.pairingRequired)
    case .application, .other: return finish(.linkLost)
    }
  }

  private mutating func informed(_ value: [UInt8], at now: Duration) -> [Action] {
    do throws(DeviceInformation.DecodingError) {
      let information = try DeviceInformation(decoding: value)
      let show = Action.showInformation(information)
      // Credentials are for those who take them.
      if information.profiles.contains(.plain) {
        return [show] + go(to: .writingSSID, .writeSSID(ssid), at: now)
      }
      guard information.profiles.contains(.plainLink) else {
        return [show] + finish(.refused(.setupCodeRequired))
      }
      return [show] + go(to: .pairing, .pair, at: now, limit: limits.pairing)
    } catch {
      return finish(.notUnderstood(.information(error)))
    }
  }
}

// MARK: - News

extension ProvisionerSession {
  /// The status was notified.
  package mutating func notified(_ value: [UInt8], at now: Duration) -> [Action] {
    switch stage {
    // The news may overtake the answer to the request.
    case .requesting(let attempt, then: nil): return follow(value, attempt: attempt, at: now)
    case .following(let attempt, let reading):
      if !reading { operationDeadline = now + limits.quiet }
      return follow(value, attempt: attempt, at: now)
    case .ready, .subscribing, .readingInformation, .pairing, .writingSSID, .writingPassword,
      .readingStatus, .requesting, .readingRefusal, .stopping, .finished:
      return []
    }
  }

  /// The connection is gone.
  package mutating func disconnected() -> [Action] {
    switch stage {
    // A pairing that fails takes the link with it, and says why.
    case .finished, .pairing: []
    case .stopping(let cause), .requesting(_, then: let cause?): finish(cause)
    default: finish(.linkLost)
    }
  }

  /// Ends early; a device that has the request is told first, for two seconds at most, and a second
  /// stop does not wait for that.
  package mutating func stop(_ cause: StopCause, at now: Duration) -> [Action] {
    switch stage {
    case .finished: return []
    case .requesting(let attempt, then: nil):
      // One write at a time: the request's answer comes first.
      stage = .requesting(attempt: attempt, then: cause)
      operationDeadline = now + Self.stopLimit
      return []
    case .following:
      attemptDeadline = nil
      return go(to: .stopping(cause), .writeControl(.cancel), at: now, limit: Self.stopLimit)
    // What was only written goes with the connection.
    default: return finish(cause)
    }
  }

  /// Ends, or asks again, what has taken too long by `now`.
  package mutating func advance(to now: Duration) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    if let attemptDeadline, now >= attemptDeadline {
      self.attemptDeadline = nil
      // The failure is known; only where the device ends up is not.
      if case .following = stage, let shown, shown.isReturning { return finish(.failed(shown)) }
      return stop(.timedOut, at: now)
    }
    switch stage {
    case .following(let attempt, reading: false):
      return go(to: .following(attempt: attempt, reading: true), .read(.status), at: now)
    case .stopping(let cause), .requesting(_, then: let cause?): return finish(cause)
    default: return finish(.linkLost)
    }
  }

  private mutating func follow(_ value: [UInt8], attempt: UInt8, at now: Duration) -> [Action] {
    let status: ProvisioningStatus
    do throws(ProvisioningStatus.DecodingError) {
      status = try ProvisioningStatus(decoding: value)
    } catch {
      return finish(.notUnderstood(.status(error)))
    }
    // One of an earlier attempt says nothing about this one.
    guard status.attempt == attempt, status != shown else { return [] }
    if shown?.isReturning == true {
      // A step may have been overtaken by the failure.
      guard status.state.isFinal else { return [] }
    } else if status.isReturning {
      attemptDeadline = now + limits.returning
    }
    shown = status
    let show = Action.showStatus(status)
    guard status.isLast else { return [show] }
    return [show] + finish(status.state == .connected ? .connected(status) : .failed(status))
  }

  private mutating func go(
    to stage: Stage, _ action: Action, at now: Duration, limit: Duration? = nil
  ) -> [Action] {
    self.stage = stage
    operationDeadline = now + (limit ?? limits.operation)
    return [action]
  }

  private mutating func finish(_ cause: StopCause) -> [Action] {
    finish(cause == .cancelled ? Outcome.cancelled : Outcome.timedOut)
  }

  private mutating func finish(_ outcome: Outcome) -> [Action] {
    stage = .finished
    password = .none
    operationDeadline = nil
    attemptDeadline = nil
    return [.finish(outcome)]
  }
}
