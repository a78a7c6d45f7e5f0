import Provisioner
import ProvisioningProtocol

/// A radio with one device in reach, whose behaviour is that of the protocol's own device session.
actor FakeCentral: CentralPort {
  enum Operation: Hashable, Sendable {
    case prepare, scan, connect, discover, pair
    case read(ProvisioningCharacteristic)
    case write(ProvisioningCharacteristic)
    case subscribe
  }

  enum Call: Hashable, Sendable {
    case operation(Operation)
    case disconnect(PeerAddress)
    case forget(PeerAddress)
  }

  /// What an operation does instead of succeeding.
  enum Fault: Sendable {
    case error(CentralError)
    /// The link breaks, for the subscription too.
    case linkLost
    /// Nothing happens until the task is cancelled.
    case hang
  }

  private static let mtu = 64
  private static let central = CentralID(rawValue: "central")

  private(set) var calls: [Call] = []
  private var faults: [Operation: [Fault?]] = [:]
  private var advertisements: [Advertisement]
  private var scans: [AsyncThrowingStream<Advertisement, any Error>.Continuation] = []
  private var offered: [Set<ProvisioningCharacteristic>] = []
  private var information: [UInt8]
  private var session: DeviceSession
  private var outcomes: [[WiFiEvent]] = []
  private var notifications: AsyncThrowingStream<[UInt8], any Error>.Continuation?
  /// How many segments were notified in the session.
  private var sent = 0
  private var segments: AsyncThrowingStream<[UInt8], any Error>.Continuation?
  private(set) var requests: [ConnectRequest] = []
  private var networks = VisibleNetworks()
  private var saved: [SavedNetwork] = []
  /// How many attempts the device was told to stop.
  private(set) var stops = 0
  private var link: PeerAddress?
  private var isMute = false

  /// What the device's Wi-Fi does in an attempt.
  enum WiFiEvent: Sendable {
    case step(AttemptStep)
    case failing(Reason)
    case end(AttemptResult)
  }

  init(
    _ advertisements: [Advertisement], information: [UInt8], mode: SecurityMode = .open,
    setup: SecureSetup? = nil
  ) {
    self.advertisements = advertisements
    self.information = information
    session = DeviceSession(
      mode: mode, securities: NetworkSecurity.allCases, setup: setup)
  }

  // MARK: What a test sets

  /// The `operation` meets these faults in turn; nil stands for one success.
  func set(_ faults: [Fault?], for operation: Operation) { self.faults[operation] = faults }
  /// What is found on the device in turn, before it is everything.
  func offer(_ sets: [Set<ProvisioningCharacteristic>]) { offered = sets }
  func set(information bytes: [UInt8]) { information = bytes }
  func set(networks: VisibleNetworks) { self.networks = networks }
  func set(saved: [SavedNetwork]) { self.saved = saved }
  /// Notifications get lost from now on.
  func mute() { isMute = true }
  func notify(_ value: [UInt8]) { notifications?.yield(value) }
  /// What becomes of the attempts in turn.
  func play(_ outcomes: [WiFiEvent]...) { self.outcomes = outcomes }
  func hear(_ advertisement: Advertisement) {
    advertisements.append(advertisement)
    for scan in scans { scan.yield(advertisement) }
  }
  /// Nothing is heard of any device from now on.
  func silence() { advertisements = [] }
  func play(_ event: WiFiEvent) { play(event, of: session.status.attempt) }
  /// Unheard, the attempt fails, and another one is begun by somebody else.
  func supersede() {
    mute()
    play(.end(.failed(.superseded)))
    for value in [[0x41], []] as [[UInt8]] {
      _ = session.write(value, to: value.isEmpty ? .password : .ssid, from: Self.central, at: .zero)
    }
    _ = session.write([0x01], to: .control, from: Self.central, at: .zero)
  }
  func removeAdapter(_ problem: AdapterProblem) {
    for scan in scans { scan.finish(throwing: CentralError(.adapter(problem))) }
  }
  /// Whether nothing has ever been connected, or all was disconnected at the end.
  var isClean: Bool { link == nil && notifications == nil && segments == nil }

  // MARK: CentralPort

  func prepare() async throws(CentralError) { try await meet(.prepare) }

  func scan() async throws(CentralError) -> AsyncThrowingStream<Advertisement, any Error> {
    try await meet(.scan)
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Advertisement.self)
    for advertisement in advertisements { continuation.yield(advertisement) }
    scans.append(continuation)
    return stream
  }

  func connect(_ peer: PeerAddress) async throws(CentralError) {
    // Also while it hangs: a connection that is coming up has to be given up.
    link = peer
    try await meet(.connect)
  }

  func discover(_ peer: PeerAddress) async throws(CentralError) -> Set<ProvisioningCharacteristic> {
    try await meet(.discover)
    return offered.isEmpty ? Set(ProvisioningCharacteristic.allCases) : offered.removeFirst()
  }

  func read(
    _ characteristic: ProvisioningCharacteristic, of peer: PeerAddress
  ) async throws(CentralError) -> [UInt8] {
    try await meet(.read(characteristic))
    switch characteristic {
    case .status: return session.readStatus(by: Self.central, at: .zero).encoded
    default: return information
    }
  }

  func pair(_ peer: PeerAddress) async throws(CentralError) { try await meet(.pair) }

  func write(
    _ value: [UInt8], to characteristic: ProvisioningCharacteristic, of peer: PeerAddress
  ) async throws(CentralError) {
    try await meet(.write(characteristic))
    let response = session.write(value, to: characteristic, from: Self.central, at: .zero)
    // The answer comes first, as over the air.
    perform(response.actions)
    if let error = response.error { throw CentralError(.attribute(error.rawValue)) }
  }

  func subscribe(
    to characteristic: ProvisioningCharacteristic, of peer: PeerAddress
  ) async throws(CentralError) -> AsyncThrowingStream<[UInt8], any Error> {
    try await meet(.subscribe)
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    if characteristic == .session {
      segments = continuation
    } else {
      notifications = continuation
    }
    return stream
  }

  func writeLength(
    for characteristic: ProvisioningCharacteristic, of peer: PeerAddress
  ) async -> Int { Self.mtu - 3 }

  func disconnect(_ peer: PeerAddress) async {
    calls.append(.disconnect(peer))
    if link == peer { loseLink(nil) }
  }

  func forget(_ peer: PeerAddress) async { calls.append(.forget(peer)) }

  // MARK: The device

  private func meet(_ operation: Operation) async throws(CentralError) {
    calls.append(.operation(operation))
    guard var queue = faults[operation], !queue.isEmpty else { return }
    let fault = queue.removeFirst()
    faults[operation] = queue
    switch fault {
    case nil: break
    case .error(let error)?: throw error
    case .linkLost?:
      loseLink(CentralError(.linkLost))
      throw CentralError(.linkLost)
    case .hang?:
      let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
      for await _ in stream {}
      continuation.finish()
      throw CentralError(.failed, "cancelled")
    }
  }

  func loseLink(_ error: CentralError?) {
    link = nil
    notifications?.finish(throwing: error)
    notifications = nil
    segments?.finish(throwing: error)
    segments = nil
    perform(session.disconnected(Self.central))
  }

  private func perform(_ actions: [DeviceSession.Action]) {
    for action in actions {
      switch action {
      case .sessionBegan: sent = 0
      case .notify(let status): if !isMute { notify(status.encoded) }
      case .connect(let request):
        requests.append(request)
        let events = outcomes.isEmpty ? [] : outcomes.removeFirst()
        for event in events { play(event, of: request.attempt) }
      case .stop: stops += 1
      case .send(let message):
        let cut = (try? SegmentWriter.segments(of: message, mtu: Self.mtu, from: sent)) ?? []
        sent += cut.count
        for segment in cut { segments?.yield(segment) }
      case .storeWrongGuesses: perform(session.wrongGuessesStored(true))
      case .scan(let errand):
        perform(session.scanned(.success(networks), errand: errand, at: .zero))
      case .list(let errand):
        perform(session.listed(.success(saved), errand: errand, at: .zero))
      case .forgetNetwork(_, let errand):
        perform(session.forgot(.success(2), errand: errand, at: .zero))
      default: break
      }
    }
  }

  /// Ends an attempt that was left running.
  func finish(_ result: AttemptResult, attempt: UInt8) { play(.end(result), of: attempt) }

  private func play(_ event: WiFiEvent, of attempt: UInt8) {
    switch event {
    case .step(let step): perform(session.attemptReached(step, of: attempt))
    case .failing(let reason):
      perform(
        session.attemptFailing(
          reason, of: attempt, evidence: AttemptEvidence(summary: "seen"), at: .zero))
    case .end(let result): perform(session.attemptEnded(result, of: attempt, at: .zero))
    }
  }
}
