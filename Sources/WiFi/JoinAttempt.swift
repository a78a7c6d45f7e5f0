internal import CNetworkManager
internal import MainLoop
internal import Secrets

/// One run of ``Station/join(ssid:password:progress:)``; belongs to the station.
final class JoinAttempt {
  private let client: NetworkManagerClient
  private let device: WirelessDevice
  private let events: JoinEvents
  private var iterator: AsyncStream<JoinEvents.Event>.Iterator
  private let loop: MainLoop
  private let limits: Station.Limits
  private let interface: String?
  private let hearsSupplicant: Bool
  private let progress: @Sendable (JoinProgress) -> Void
  /// Whether NetworkManager has answered the request to activate.
  private var isAnswered = false
  /// The trial's active connection, once NetworkManager has named it.
  private var activePath: String?
  /// Those that ended before.
  private var endedPaths: Set<String> = []

  init(
    client: NetworkManagerClient, device: WirelessDevice, events: JoinEvents, loop: MainLoop,
    limits: Station.Limits, interface: String?, hearsSupplicant: Bool,
    progress: @escaping @Sendable (JoinProgress) -> Void
  ) {
    self.client = client
    self.device = device
    self.events = events
    iterator = events.stream.makeAsyncIterator()
    self.loop = loop
    self.limits = limits
    self.interface = interface
    self.hearsSupplicant = hearsSupplicant
    self.progress = progress
  }

  /// - Parameter readLink: reads what the device is connected to.
  func run(
    ssid: [UInt8], password: SecretBytes?, among kinds: Set<NetworkSecurity>?,
    readLink: () async -> StationSnapshot.Link?
  ) async -> JoinOutcome {
    let signals = followSignals()
    defer { withExtendedLifetime(signals) {} }
    var rescans = 1
    while true {
      let found: AccessPoint
      switch await findAccessPoint(
        ssid, withPassword: password?.isEmpty == false, among: kinds)
      {
      case .success(let point): found = point
      case .failure(let failure): return .failed(failure)
      }
      if let failure = Self.objection(to: password, for: found.security) { return .failed(failure) }
      let profile = TrialProfile(ssid: ssid, security: found.security, interface: interface)
      switch await activate(profile, at: found, password: password) {
      case .accessPointGone where rescans > 0:
        rescans -= 1
        await device.scan(limits: limits, loop: loop)
      case .accessPointGone:
        return .failed(JoinFailure(.outOfRange, "the access point went away"))
      case .failed(let failure): return .failed(failure)
      case .activated(let active, let evidence):
        return await keep(profile, active, found.security, ssid, evidence, readLink)
      }
    }
  }

  private func followSignals() -> [SignalConnection] {
    let events = events
    var signals = [
      SignalConnection(device.pointer, property: NM_DEVICE_WIFI_LAST_SCAN) {
        events.send(.scanChanged)
      },
      SignalConnection(device.pointer, signal: "access-point-added") { events.send(.scanChanged) },
    ]
    if let client = client.pointer {
      signals += [
        SignalConnection(client, property: NM_CLIENT_NM_RUNNING) { events.send(.runningChanged) },
        SignalConnection(client, signal: "device-removed") { events.send(.devicesChanged) },
      ]
    }
    return signals
  }

  private static func objection(to password: SecretBytes?, for security: NetworkSecurity)
    -> JoinFailure?
  {
    var evidence = JoinEvidence()
    evidence.security = security
    guard security.isSupported else {
      return JoinFailure(
        .securityNotSupported, "\(security) networks are not supported", evidence: evidence)
    }
    let objection =
      password.map { security.objection(to: $0) } ?? security.objection(to: EmptyCollection())
    return objection.map { JoinFailure(.passwordFormat, $0, evidence: evidence) }
  }

  private func next() async -> JoinEvents.Event {
    await iterator.next(isolation: #isolation) ?? .trial(.cancelled)
  }

  /// Translates what only says that something changed.
  private func trialEvent(_ event: JoinEvents.Event) -> ActivationTrial.Event? {
    // libnm drops its objects first, which looks as if they had ended one by one.
    guard client.isRunning else { return .networkManagerStopped }
    switch event {
    case .trial(let event): return event
    case .activeConnection(let path, let state):
      if path == activePath { return .activeConnection(state: state) }
      if state == ActiveConnectionState.deactivated { endedPaths.insert(path) }
      return nil
    case .devicesChanged:
      return device.path.flatMap { client.device(at: $0) } == nil ? .deviceRemoved : nil
    case .activationAnswered, .answerOverdue, .scanChanged, .scanOverdue, .runningChanged:
      return nil
    }
  }

  // MARK: - The network

  private func findAccessPoint(
    _ ssid: [UInt8], withPassword: Bool, among kinds: Set<NetworkSecurity>?
  ) async -> Result<AccessPoint, JoinFailure> {
    func best() -> AccessPoint? {
      device.accessPoints.best(for: ssid, withPassword: withPassword, among: kinds)
    }
    if let point = best() { return .success(point) }
    let events = events
    var timer = loop.after(limits.scan) { events.send(.scanOverdue) }
    defer { timer.cancel() }
    // The first results may be those of a scan that began before the access point was there.
    var scansToCome = 2
    var lastScan = device.lastScan
    await device.requestScan()
    while true {
      let event = await next()
      if let point = best() { return .success(point) }
      switch event {
      case .scanChanged:
        guard scansToCome > 0, device.lastScan != lastScan else { continue }
        lastScan = device.lastScan
        scansToCome -= 1
        if scansToCome > 0 {
          await device.requestScan()
        } else {
          timer.cancel()
          timer = loop.after(limits.scanSettling) { events.send(.scanOverdue) }
        }
      case .scanOverdue:
        return .failure(JoinFailure(.networkNotFound, "no access point answers to the SSID"))
      default:
        // What the device does before it is asked for anything does not count.
        guard let event = trialEvent(event) else { continue }
        switch event {
        case .device, .supplicant: continue
        default: break
        }
        var trial = ActivationTrial(security: .open)
        if case .fail(let reason, let message) = trial.handle(event) {
          return .failure(JoinFailure(reason, message))
        }
      }
    }
  }

  // MARK: - The activation

  private enum Activation {
    case activated(ObjectReference, JoinEvidence)
    case accessPointGone
    case failed(JoinFailure)
  }

  private func activate(_ profile: TrialProfile, at point: AccessPoint, password: SecretBytes?)
    async -> Activation
  {
    guard let connection = profile.connection(password: password) else {
      return .failed(JoinFailure(.internalError, "no profile could be built"))
    }
    let events = events
    isAnswered = false
    client.beginActivation(of: connection, on: device, accessPoint: point.path) {
      events.send(.activationAnswered($0))
    }
    // The message is built; libnm keeps no other copy.
    nm_connection_clear_secrets(connection.pointer)

    var trial = ActivationTrial(security: point.security, hearsSupplicant: hearsSupplicant)
    var active: ObjectReference?
    var secretsTimer: LoopTimer?
    var isActivated = false
    defer { secretsTimer?.cancel() }
    while true {
      let event = await next()
      var trialEvent = trialEvent(event)
      if case .activationAnswered(let result) = event {
        isAnswered = true
        do {
          let answered = try client.finishActivation(result)
          active = answered
          activePath = nm_object_get_path(answered.pointer).map { String(cString: $0) }
          if let activePath, endedPaths.contains(activePath) {
            trialEvent = .activeConnection(state: ActiveConnectionState.deactivated)
          } else if activePath == nil {
            expectEnd()
          } else if isActivated {
            return .activated(answered, trial.evidence)
          }
        } catch let error where error.isAccessPointGone {
          return .accessPointGone
        } catch let error where error.isObjectGone {
          expectEnd()
        } catch {
          let failure = StationError(error, doing: "activating")
          return .failed(
            JoinFailure(failure.reason, failure.message, evidence: trial.evidence))
        }
      }
      guard let trialEvent else { continue }
      switch trial.handle(trialEvent) {
      case .wait: break
      case .report(let step): progress(step)
      case .expectSecretsSoon:
        secretsTimer?.cancel()
        secretsTimer = loop.after(limits.secrets) { events.send(.trial(.secretsOverdue)) }
      case .activated:
        if let active { return .activated(active, trial.evidence) }
        // libnm has not read the active connection yet.
        isActivated = true
      case .fail(let reason, let message):
        await takeBack(profile, active)
        return .failed(refined(reason, message, point, trial.evidence))
      }
    }
  }

  /// libnm saw the active connection go before it could name it: the device's signals say why,
  /// and may still be on their way.
  private func expectEnd() {
    let events = events
    loop.after(.milliseconds(200)) {
      events.send(.trial(.activeConnection(state: ActiveConnectionState.deactivated)))
    }
  }

  /// A network that was there and is not any more was left, not refused.
  private func refined(
    _ reason: JoinFailure.Reason, _ message: String, _ point: AccessPoint, _ evidence: JoinEvidence
  ) -> JoinFailure {
    let wasNotSeen = evidence.transitions.contains { $0.reason == DeviceStateReason.ssidNotFound }
    if wasNotSeen, !device.accessPoints.contains(where: { $0.ssid == point.ssid }) {
      return JoinFailure(.outOfRange, "the access point went away", evidence: evidence)
    }
    return JoinFailure(reason, message, evidence: evidence)
  }

  /// Leaves nothing of the trial behind.
  private func takeBack(_ profile: TrialProfile, _ active: ObjectReference?) async {
    guard client.isRunning else { return }
    var active = active
    if !isAnswered {
      // The request is on its way, and cannot be called back; the bus allows 25 s for the answer.
      let events = events
      let timer = loop.after(.seconds(30)) { events.send(.answerOverdue) }
      waiting: while true {
        switch await next() {
        case .activationAnswered(let result):
          active = try? client.finishActivation(result)
          break waiting
        case .answerOverdue: break waiting
        default: continue
        }
      }
      timer.cancel()
    }
    if let active { await client.deactivate(active) }
    // NetworkManager drops a volatile profile when the device lets go of it; this is sooner.
    try? await client.deleteProfile(uuid: profile.uuid)
  }

  // MARK: - The result

  private func keep(
    _ profile: TrialProfile, _ active: ObjectReference, _ security: NetworkSecurity,
    _ ssid: [UInt8], _ evidence: JoinEvidence, _ readLink: () async -> StationSnapshot.Link?
  ) async -> JoinOutcome {
    progress(.checkingConnectivity)
    let link: StationSnapshot.Link
    switch confirmed(await readLink(), ssid) {
    case .success(let found): link = found
    case .failure(let loss):
      await takeBack(profile, active)
      return .failed(JoinFailure(loss.reason, loss.message, evidence: evidence))
    }
    if events.isCancelled {
      await takeBack(profile, active)
      return .failed(JoinFailure(.cancelled, "cancelled", evidence: evidence))
    }
    let isSaved: Bool
    do {
      try await client.save(profile)
      isSaved = true
    } catch {
      isSaved = false
    }
    if isSaved { await deleteSuperseded(by: profile, security, ssid) }
    guard await client.checkConnectivity(limit: limits.connectivity, loop: loop) else {
      return .connected(link, saved: isSaved)
    }
    switch confirmed(await readLink(), ssid) {
    case .success(let link): return .connected(link, saved: isSaved)
    case .failure(let loss):
      return .failed(JoinFailure(loss.reason, loss.message, evidence: evidence))
    }
  }

  /// The link if it is still there and ours, else what has become of it.
  private func confirmed(_ link: StationSnapshot.Link?, _ ssid: [UInt8])
    -> Result<StationSnapshot.Link, StationError>
  {
    guard client.isRunning else {
      return .failure(
        StationError(.networkManagerNotRunning, "NetworkManager stopped during the attempt"))
    }
    guard trialEvent(.devicesChanged) == nil else {
      return .failure(StationError(.noDevice, "the Wi-Fi device went away"))
    }
    guard let link else {
      return .failure(StationError(.outOfRange, "the link was lost at once"))
    }
    guard link.ssid.isEmpty || link.ssid == ssid else {
      return .failure(StationError(.superseded, "another network was activated"))
    }
    guard link.address != nil else {
      return .failure(StationError(.noAddress, "no IPv4 address was given"))
    }
    return .success(
      StationSnapshot.Link(
        ssid: ssid, address: link.address, signal: link.signal, connectivity: link.connectivity))
  }

  private func deleteSuperseded(
    by profile: TrialProfile, _ security: NetworkSecurity, _ ssid: [UInt8]
  ) async {
    let kind = SavedProfile.Kind(security)
    for old in client.profiles(of: ssid)
    where old.uuid != profile.uuid && old.kind == kind && !old.isPrivate
      && (old.interface == nil || old.interface == device.interface)
    {
      // A profile that cannot be deleted is the administrator's; the new one was used last, and
      // is preferred.
      try? await client.deleteProfile(uuid: old.uuid)
    }
  }
}
