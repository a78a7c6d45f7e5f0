internal import CNetworkManager
internal import DBus
internal import MainLoop
internal import Secrets

/// One run of ``Station/join(_:failing:progress:)``; belongs to the station.
final class JoinAttempt {
  let request: NetworkRequest
  let bus: Connection
  let client: NetworkManagerClient
  let device: WirelessDevice
  let events: JoinEvents
  let limits: Station.Limits
  let interface: String?
  let hearsSupplicant: Bool
  let progress: @Sendable (JoinProgress) -> Void
  /// Reads what the device is connected to.
  let readLink: () async -> DeviceWatch.Link?
  var loop: MainLoop { bus.loop }
  private var iterator: AsyncStream<JoinEvents.Event>.Iterator

  /// What the attempt before did not get back to.
  private let unreachedBefore: String?

  // Of the activation that is tried at the moment.

  /// Whether NetworkManager has answered the request to activate.
  var isAnswered = true
  /// The trial's active connection, once NetworkManager has named it.
  var activePath: String?
  /// Those that ended before.
  var endedPaths: Set<String> = []
  /// The profile that the device was on its way back to when the attempt was cancelled.
  private(set) var unreached: String?
  /// The addresses of access points that did not tell their network's name.
  var hiddenAccessPoints: Set<String> = []

  init(
    _ request: NetworkRequest, bus: Connection, client: NetworkManagerClient,
    device: WirelessDevice, events: JoinEvents, limits: Station.Limits, interface: String?,
    hearsSupplicant: Bool, unreachedBefore: String?,
    progress: @escaping @Sendable (JoinProgress) -> Void,
    readLink: @escaping () async -> DeviceWatch.Link?
  ) {
    self.request = request
    self.bus = bus
    self.client = client
    self.device = device
    self.events = events
    iterator = events.stream.makeAsyncIterator()
    self.limits = limits
    self.interface = interface
    self.hearsSupplicant = hearsSupplicant
    self.unreachedBefore = unreachedBefore
    self.progress = progress
    self.readLink = readLink
  }

  /// - Parameter failing: called when the attempt has failed and the device goes back.
  func run(failing: @Sendable (JoinFailure) -> Void) async -> JoinOutcome {
    let signals = followSignals()
    defer { withExtendedLifetime(signals) {} }
    // The device may not have begun yet with what it was asked to go back to.
    let previous = device.activeProfile ?? unreachedBefore
    // What is refused here has touched nothing.
    let found: AccessPoint
    switch await findAccessPoint() {
    case .success(let point): found = point
    case .failure(let failure): return .failed(failure)
    }
    if let failure = objection(to: found) { return .failed(failure) }

    // A policy may allow networks and not checkpoints; what they are for then depends on this
    // program's staying alive.
    let checkpoint: Checkpoint? =
      if let path = device.objectPath { try? await .create(on: bus, device: path) } else { nil }
    switch await tryInTurn(found) {
    case .joined(let joined):
      // Nobody has to wait for it.
      if let checkpoint { Task(executorPreference: loop) { await checkpoint.destroy() } }
      return await finish(joined)
    case .lost(let lost):
      let failure = lost.failure
      guard let previous, failure.leavesDeviceFree else {
        await takeBack(lost.profile, lost.active)
        await checkpoint?.destroy()
        return .failed(failure)
      }
      failing(failure)
      await takeBack(lost.profile, lost.active)
      let outcome = await goBack(to: previous, checkpoint, failure)
      if events.isCancelled, case .failed = outcome { unreached = previous }
      return outcome
    }
  }

  /// Why no way worked, and what is left of the last one.
  private struct Lost {
    var failure: JoinFailure
    let profile: TrialProfile
    let active: ObjectReference?
  }

  private enum Trials {
    case joined(Joined)
    case lost(Lost)
  }

  /// A network that is joined, and whether it is saved.
  struct Joined {
    let profile: TrialProfile
    let security: NetworkSecurity
    let link: StationSnapshot.Link
    let isSaved: Bool
    let evidence: JoinEvidence
  }

  /// Tries the ways to join, until one works or the reason cannot be the way.
  private func tryInTurn(_ found: AccessPoint) async -> Trials {
    var point = found
    var ways = ways(to: found)
    var rescans = 1
    var seen = JoinEvidence()
    while true {
      let profile = TrialProfile(
        request, by: ways[0],
        isHidden: request.isHidden || hiddenAccessPoints.contains(point.bssid),
        interface: interface)
      var lost: Lost
      switch await activate(profile, at: point) {
      case .activated(let active, let evidence):
        switch await keep(profile, point.security, evidence) {
        case .success(let joined): return .joined(joined)
        case .failure(let failure):
          lost = Lost(failure: failure, profile: profile, active: active)
          ways.removeAll()
        }
      case .accessPointGone:
        lost = Lost(
          failure: JoinFailure(.outOfRange, "the access point went away"), profile: profile,
          active: nil)
        guard rescans > 0 else { break }
        rescans -= 1
        await device.scan(limits: limits, loop: loop)
        switch await findAccessPoint() {
        case .success(let again) where again.security == point.security:
          point = again
          continue
        case .failure(let failure) where !failure.isAbsence: lost.failure = failure
        case .success, .failure: break
        }
      case .failed(let failure, let active):
        lost = Lost(failure: failure, profile: profile, active: active)
      }
      lost.failure.evidence.describe(point)
      lost.failure.evidence.follow(seen)
      seen = lost.failure.evidence
      ways = Array(ways.dropFirst())
      if ways.isEmpty || !lost.failure.mayBeTheWay { return .lost(lost) }
      await takeBack(lost.profile, lost.active)
    }
  }

  /// The ways to join, in the order in which they are tried; none without the encryption that was
  /// asked for.
  private func ways(to point: AccessPoint) -> [KeyManagement] {
    let ways = point.security.keyManagements
    guard let kinds = request.kinds, !kinds.contains(.open) else { return ways }
    return ways.filter { $0 != .none }
  }

  func next() async -> JoinEvents.Event {
    await iterator.next(isolation: #isolation) ?? .trial(.cancelled)
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

  /// Translates what only says that something changed.
  func trialEvent(_ event: JoinEvents.Event) -> ActivationTrial.Event? {
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
    case .profileAdded, .activationAnswered, .answerOverdue, .scanChanged, .scanOverdue,
      .wayBackOverdue, .runningChanged:
      return nil
    }
  }
}

extension JoinFailure {
  /// Whether the device is there to go back to the network before.
  fileprivate var leavesDeviceFree: Bool {
    switch reason {
    case .superseded, .networkManagerNotRunning, .noDevice, .deviceNotManaged, .radioBlocked: false
    default: true
    }
  }

  /// Whether it says no more than that the network is not there.
  fileprivate var isAbsence: Bool {
    switch reason {
    case .networkNotFound, .hiddenNetworkSilent, .securityNotSupported: true
    default: false
    }
  }

  /// Whether another way may do better: nothing says that it was the password.
  fileprivate var mayBeTheWay: Bool {
    switch reason {
    case .rejected, .accessPointRefused, .securityNotSupported: true
    default: false
    }
  }
}

extension JoinEvidence {
  fileprivate mutating func describe(_ point: AccessPoint) {
    security = point.security
    signal = Signal.decibels(point.strength)
    frequency = point.frequency
  }

  /// What was seen of the ways that were tried before belongs to what led here.
  fileprivate mutating func follow(_ earlier: JoinEvidence) {
    transitions = earlier.transitions + transitions
    supplicant = earlier.supplicant + supplicant
  }
}
