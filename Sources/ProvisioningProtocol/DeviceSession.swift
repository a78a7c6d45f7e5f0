internal import Secrets

/// What the device does about what provisioners write, and about what its Wi-Fi tells.
///
/// A value without clock and bus: each event is a method that changes the session and gives the
/// actions to run, in order. Times are durations since any fixed start. The caller runs `advance`
/// when `deadline` has come.
///
/// One central at a time owns the session: the first that writes, until it disconnects or has been
/// silent for 60 s. An attempt to join a network goes on without an owner, and while it runs
/// nobody is called silent. What was written is dropped when the attempt has it, when it is
/// cancelled, and when the owner goes.
///
/// It cannot be copied, for a copy would seal with the same keys and numbers.
package struct DeviceSession: ~Copyable, Sendable {
  /// How long an owner may be silent outside an attempt.
  package static let silenceLimit = Duration.seconds(60)
  /// How long an attempt may take before the session stops it; the Wi-Fi layer has its own, shorter
  /// limits, whose reasons say more.
  package static let attemptLimit = Duration.seconds(120)
  /// How long the device may be on its way back to the network before; provisioners wait longer.
  package static let returnLimit = Duration.seconds(40)
  /// For how long after an attempt the loss of its network is the attempt's failure.
  package static let graceTime = Duration.seconds(10)

  /// Something for the caller to do.
  package enum Action: Equatable, Sendable {
    case sessionBegan(CentralID)
    /// The central has proved that it knows the setup code.
    case sessionSecured(CentralID)
    case sessionEnded(CentralID, SessionEnd)
    /// Send the status value to who subscribed.
    case notify(ProvisioningStatus)
    /// Put another state into the advertisement.
    case advertise(AdvertisedState)
    /// Join the network, and report back with the attempt's number.
    case connect(ConnectRequest)
    /// Stop joining; what is still reported for this attempt is ignored.
    case stop(attempt: UInt8)
    case identify
    case forget
    /// Send a message of the secure profile, cut into segments that every subscriber can take.
    case send([UInt8])
    /// Store how many guesses of the setup code were wrong, so that a loss of power does not lose
    /// it, and report back with `wrongGuessesStored` before anything else.
    case storeWrongGuesses(UInt32)
    /// Look which networks there are, and report back with the errand's number.
    case scan(errand: UInt32)
    /// Remove what is kept of a network, and report back with the errand's number.
    case forgetNetwork(SSID, errand: UInt32)
    /// Look which networks are kept, and report back with the errand's number.
    case list(errand: UInt32)
  }

  /// Why a central no longer owns the session.
  package enum SessionEnd: Hashable, Sendable {
    case disconnected
    case silent
    /// The secure session was ended, by either side.
    case aborted(AbortReason)
  }

  /// The answer to a write, and what to do beside answering.
  package struct WriteResponse: Equatable, Sendable {
    /// Nil where the write is accepted.
    package var error: ApplicationError?
    /// To run at once, before or after the answer.
    package var actions: [Action]
  }

  enum Phase {
    case resting
    /// An SSID was written.
    case network(SSID)
    /// And a password.
    case credentials(SSID, WiFiPassword)
    case attempting(SSID, AttemptStep, WiFiLink, since: Duration)

    var isAttempting: Bool { if case .attempting = self { true } else { false } }
  }

  /// The result of the last attempt, which stays to be read until the next one has its own.
  enum Outcome {
    /// `lost` is whether the network went away again within the grace time.
    case connected(saved: Bool, at: Duration, lost: Bool)
    case failed(Reason, AttemptEvidence?)
  }

  /// A refused write, which the status value repeats.
  private struct Refusal {
    var central: CentralID
    var reason: Reason
  }

  /// A request whose answer has to be waited for.
  struct Errand {
    var number: UInt32
    var request: UInt32
  }

  private let mode: SecurityMode
  let features: Set<DeviceFeature>
  var phase = Phase.resting
  var outcome: Outcome?
  var link: WiFiLink?
  var attempt: UInt8 = 0
  /// The network of the last attempt, and what to know of its settings.
  var tried: (ssid: SSID, risks: [Risk])?
  /// Since when the device is on its way back to the network before the last attempt; nil when it
  /// is not.
  var returningSince: Duration?
  private var refusal: Refusal?
  var lastHeard = Duration.zero
  /// The central that provisions now.
  package private(set) var owner: CentralID?
  /// What keeps the device's Wi-Fi from being used, for who asks.
  package var obstacle: Reason?

  var setup: SecureSetup?
  /// The kinds of network that may be asked for by name.
  let securities: [NetworkSecurity]
  var counter: GuessCounter
  var channel: DeviceChannel?
  /// The device's proof, until the guess that it allows is stored.
  var heldProof: SessionMessage?
  var errand: Errand?
  var lastErrand: UInt32 = 0
  /// What the owner's last scan found, for the pages after the first.
  var found: VisibleNetworks?
  /// What the owner's last list had, likewise.
  var saved: [SavedNetwork]?

  /// Makes a session of a device that has just started.
  ///
  /// `link` is the connection it already has. Without `setup` there is no secure profile.
  package init(
    mode: SecurityMode, features: Set<DeviceFeature> = [],
    securities: [NetworkSecurity] = [.open, .owe, .wpaPSK, .sae], link: WiFiLink? = nil,
    setup: SecureSetup? = nil, at now: Duration = .zero
  ) {
    self.mode = mode
    self.features = features
    self.securities = securities
    self.link = link
    self.setup = setup
    counter = GuessCounter(wrongGuesses: setup?.wrongGuesses ?? 0, at: now)
  }
}

// MARK: - What is to be seen

extension DeviceSession {
  /// The status value as subscribers have it.
  package var status: ProvisioningStatus { status(refusal: refusal?.reason) }

  /// The state for the advertisement.
  package var advertisedState: AdvertisedState {
    if isBusy { return .connecting }
    if owner != nil { return .sessionInProgress }
    if link != nil { return .connected }
    if case .failed = outcome { return .failed }
    return .notProvisioned
  }

  /// The status as the secure profile tells it.
  package var fullStatus: DeviceStatus {
    var full = DeviceStatus(status, triedSSID: tried?.ssid, risks: tried?.risks ?? [])
    switch phase {
    case .attempting(let ssid, _, let progress, _):
      full.ssid = ssid
      full.link = progress.details
    case .network(let ssid), .credentials(let ssid, _): full.ssid = ssid
    case .resting:
      if case .failed(_, let evidence) = outcome { full.evidence = evidence }
      guard returningSince == nil, let link else { break }
      full.ssid = link.ssid
      full.link = link.details
    }
    return full
  }

  /// Whether the device is on its way into a network.
  var isBusy: Bool { phase.isAttempting || returningSince != nil }

  /// Whether the device is on its way back to the network before this attempt.
  package func isReturning(from attempt: UInt8) -> Bool {
    returningSince != nil && self.attempt == attempt
  }

  /// When to call `advance`; nil while there is nothing to wait for.
  package var deadline: Duration? {
    [attemptDeadline ?? returnDeadline ?? silenceDeadline, channelDeadline]
      .compactMap(\.self).min()
  }

  private var attemptDeadline: Duration? {
    if case .attempting(_, _, _, let since) = phase { since + Self.attemptLimit } else { nil }
  }

  private var returnDeadline: Duration? { returningSince.map { $0 + Self.returnLimit } }

  /// Whether the owner has proved that it knows the setup code.
  var isSecure: Bool {
    switch channel {
    case .some(let channel): channel.isOpen
    case nil: false
    }
  }

  private var channelDeadline: Duration? {
    switch channel {
    case .some(let channel): channel.deadline
    case nil: nil
    }
  }

  private var silenceDeadline: Duration? { owner == nil ? nil : lastHeard + Self.silenceLimit }

  private func status(refusal: Reason?) -> ProvisioningStatus {
    var status = ProvisioningStatus(attempt: attempt)
    var shown: WiFiLink?
    switch phase {
    case .network, .credentials: status.state = .credentialsReceived
    case .attempting(_, let step, let progress, _):
      status.state = step.state
      shown = progress
    case .resting:
      shown = returningSince == nil ? link : nil
      switch outcome {
      case .failed(let reason, _):
        status.state = shown == nil ? .failed : .rolledBack
        status.reason = reason
        status.isReturning = returningSince != nil
      case .connected(_, _, lost: true):
        status.state = link == nil ? .failed : .rolledBack
        status.reason = .outOfRange
      case .connected(saved: false, _, _) where link != nil:
        status.state = .connected
        status.reason = .notSaved
      case .connected, nil:
        status.state = link == nil ? .idle : .connected
      }
    }
    status.ipv4 = shown?.ipv4
    status.rssi = shown?.rssi
    status.connectivity = shown?.connectivity ?? .unknown
    if let refusal { status.reason = refusal }
    return status
  }

  /// Runs `change`, and adds what follows from it for those who look on: first what `change` says
  /// of the session, then the news, then what `change` gives to be done.
  mutating func reporting(
    _ change: (inout DeviceSession, _ before: inout [Action], _ after: inout [Action]) -> Void
  ) -> [Action] {
    let (oldStatus, oldState) = (status, advertisedState)
    var actions: [Action] = []
    var after: [Action] = []
    change(&self, &actions, &after)
    if status != oldStatus {
      actions.append(.notify(status))
      if isSecure { say(.status(fullStatus), &actions) }
    }
    if advertisedState != oldState { actions.append(.advertise(advertisedState)) }
    return actions + after
  }
}

// MARK: - What centrals do

extension DeviceSession {
  /// Takes a value that a central wrote, and gives the answer, which must not wait.
  ///
  /// `value` may be of any length. The session keeps a wiped copy of a password; the caller's bytes
  /// are its own.
  package mutating func write(
    _ value: [UInt8], to characteristic: ProvisioningCharacteristic, from central: CentralID,
    at now: Duration
  ) -> WriteResponse {
    if let owner, owner != central { return WriteResponse(error: .busy, actions: []) }
    var failure: ApplicationError?
    let actions = reporting { session, before, after in
      do throws(ApplicationError) {
        // Who may not write at all does not keep others away either.
        try session.checkAccess(value, to: characteristic)
        if session.owner == nil {
          session.owner = central
          before.append(.sessionBegan(central))
        }
        session.lastHeard = now
        if characteristic == .session {
          session.receive(value, at: now, &before, &after)
        } else {
          try session.accept(value, for: characteristic, at: now, &after)
        }
        session.refusal = nil
      } catch {
        session.refusal = Refusal(central: central, reason: error.reason)
        failure = error
      }
    }
    return WriteResponse(error: failure, actions: actions)
  }

  /// Gives the status value to a central that reads it.
  ///
  /// To others than the owner the reason is `busy` while there is no result to read, for this may
  /// be all that such a central learns of a refused write.
  package mutating func readStatus(by central: CentralID, at now: Duration) -> ProvisioningStatus {
    if owner == central { lastHeard = now }
    var status = status(refusal: refusal?.central == central ? refusal?.reason : nil)
    if let owner, owner != central, !status.state.isFinal { status.reason = .busy }
    return status
  }

  /// Takes note that a central is gone.
  package mutating func disconnected(_ central: CentralID) -> [Action] {
    reporting { session, before, _ in
      if session.refusal?.central == central { session.refusal = nil }
      if session.owner == central { session.end(.disconnected, &before) }
    }
  }

  private func checkAccess(
    _ value: [UInt8], to characteristic: ProvisioningCharacteristic
  ) throws(ApplicationError) {
    if characteristic == .session {
      guard setup != nil else { throw .unsupported }
      // What is left of a message whose session has ended begins no other.
      guard channel != nil || DeviceChannel.canBegin(with: value) else { throw .notNow }
    } else {
      guard mode != .code else { throw .setupCodeRequired }
    }
  }

  private mutating func accept(
    _ value: [UInt8], for characteristic: ProvisioningCharacteristic, at now: Duration,
    _ actions: inout [Action]
  ) throws(ApplicationError) {
    switch characteristic {
    case .ssid:
      guard !phase.isAttempting else { throw .notNow }
      guard let ssid = try? SSID(value) else { throw .ssidLength }
      phase = .network(ssid)
    case .password:
      let network: SSID
      switch phase {
      case .network(let ssid), .credentials(let ssid, _): network = ssid
      case .resting, .attempting: throw .notNow
      }
      guard let password = try? WiFiPassword(SecretBytes(value)) else { throw .passwordFormat }
      phase = .credentials(network, password)
    case .control:
      guard value.count == 1, let opcode = ControlOpcode(rawValue: value[0]) else {
        throw .unsupported
      }
      try accept(opcode, at: now, &actions)
    case .status, .information, .session:
      throw .unsupported
    }
  }

  private mutating func accept(
    _ opcode: ControlOpcode, at now: Duration, _ actions: inout [Action]
  ) throws(ApplicationError) {
    switch opcode {
    case .connect:
      switch phase {
      case .network(let ssid): connect(to: NetworkDescription(ssid: ssid), at: now, &actions)
      case .credentials(let ssid, let password):
        connect(to: NetworkDescription(ssid: ssid, password: password), at: now, &actions)
      case .resting, .attempting: throw .notNow
      }
    case .cancel: cancel(&actions)
    case .identify:
      guard features.contains(.identify) else { throw .unsupported }
      actions.append(.identify)
    case .forget:
      guard features.contains(.forget) else { throw .unsupported }
      guard !phase.isAttempting else { throw .notNow }
      phase = .resting
      outcome = nil
      actions.append(.forget)
    }
  }

  mutating func connect(
    to network: NetworkDescription, at now: Duration, _ actions: inout [Action]
  ) {
    attempt = ProvisioningStatus.attempt(after: attempt)
    phase = .attempting(network.ssid, .preparing, WiFiLink(), since: now)
    tried = (network.ssid, network.risks)
    returningSince = nil
    actions.append(.connect(ConnectRequest(attempt: attempt, network: network)))
  }

  mutating func cancel(_ actions: inout [Action]) {
    if phase.isAttempting {
      actions.append(.stop(attempt: attempt))
      outcome = .failed(.cancelled, nil)
    }
    phase = .resting
  }

  mutating func end(_ end: SessionEnd, _ actions: inout [Action]) {
    guard let owner else { return }
    if !phase.isAttempting { phase = .resting }
    refusal = nil
    self.owner = nil
    channel = nil
    heldProof = nil
    errand = nil
    found = nil
    saved = nil
    actions.append(.sessionEnded(owner, end))
  }
}

// MARK: - What the Wi-Fi tells, and the time

extension DeviceSession {
  /// Takes note of how far an attempt has come; ignored for any but the one that runs.
  ///
  /// `link` has what is known of the connection so far.
  package mutating func attemptReached(
    _ step: AttemptStep, of attempt: UInt8, link progress: WiFiLink = WiFiLink()
  ) -> [Action] {
    reporting { session, _, _ in
      guard case .attempting(let ssid, _, _, let since) = session.phase,
        session.attempt == attempt
      else { return }
      session.phase = .attempting(ssid, step, progress, since: since)
      session.refusal = nil
      // From here on the connection before is gone.
      if step != .preparing { session.link = nil }
    }
  }

  /// Takes note that an attempt has failed and the device goes back to the network before; ignored
  /// for any but the one that runs.
  package mutating func attemptFailing(
    _ reason: Reason, of attempt: UInt8, evidence: AttemptEvidence, at now: Duration
  ) -> [Action] {
    reporting { session, _, _ in
      guard session.phase.isAttempting, session.attempt == attempt else { return }
      session.link = nil
      session.returningSince = now
      session.finish(.failed(reason, evidence), at: now)
    }
  }

  /// Takes note of an attempt's result; ignored for any but the one that runs, or that has failed
  /// and whose way back ends.
  ///
  /// `evidence` is what the result was concluded from; it goes out in sealed messages only.
  package mutating func attemptEnded(
    _ result: AttemptResult, of attempt: UInt8, evidence: AttemptEvidence? = nil, at now: Duration
  ) -> [Action] {
    reporting { session, _, _ in
      guard session.attempt == attempt, session.isBusy else { return }
      if session.returningSince != nil {
        session.returned(result, at: now)
        return
      }
      switch result {
      case .connected(let link, let saved):
        session.link = link
        session.finish(.connected(saved: saved, at: now, lost: false), at: now)
      case .failed(let reason): session.finish(.failed(reason, evidence), at: now)
      case .rolledBack(let reason, let link):
        session.link = link
        session.finish(.failed(reason, evidence), at: now)
      }
    }
  }

  /// Ends the way back; what the attempt failed with has been told, and stays.
  private mutating func returned(_ result: AttemptResult, at now: Duration) {
    returningSince = nil
    lastHeard = now
    if case .rolledBack(_, let link) = result { self.link = link }
  }

  /// Takes note of the connection outside attempts: another address, signal or reach, or nil for
  /// none.
  ///
  /// A network that goes away right after the attempt has not worked: that is its failure, until
  /// the network is there again.
  package mutating func linkChanged(to link: WiFiLink?, at now: Duration) -> [Action] {
    reporting { session, _, _ in
      session.link = link
      guard case .connected(let saved, let since, let lost) = session.outcome,
        !session.phase.isAttempting
      else { return }
      let isGone =
        if let ssid = link?.ssid { ssid != session.tried?.ssid } else { link == nil }
      let isEarly = now < since + Self.graceTime
      session.outcome = .connected(saved: saved, at: since, lost: isGone && (lost || isEarly))
    }
  }

  /// Ends what has taken too long by `now`.
  package mutating func advance(to now: Duration) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    return reporting { session, before, after in
      if let limit = session.channelDeadline, now >= limit {
        session.abort(.timedOut, &before)
      } else if session.phase.isAttempting {
        after.append(.stop(attempt: session.attempt))
        session.finish(.failed(.timedOut, nil), at: now)
      } else if session.returningSince != nil {
        session.returningSince = nil
        session.lastHeard = now
      } else {
        if session.channel != nil {
          before.append(.send(SessionMessage.abort(.timedOut).encoded))
        }
        session.end(.silent, &before)
      }
    }
  }

  /// Ends the attempt, and gives the owner its full time to hear of it.
  private mutating func finish(_ outcome: Outcome, at now: Duration) {
    phase = .resting
    self.outcome = outcome
    refusal = nil
    lastHeard = now
  }
}
