import DBus
import MainLoop
import RadioSimulator
import Secrets
import Synchronization
import TestSupport
import Testing

@testable import WiFi

/// A simulated NetworkManager with a few networks, and a station that uses it.
struct Room: Sendable {
  let networkManager: SimulatedNetworkManager
  let station: Station
  let snapshots: Snapshots
  /// The station's connection.
  let bus: Connection
  let loop: MainLoop

  /// What the station told of itself.
  final class Snapshots: Sendable {
    private struct State {
      var last: StationSnapshot?
      var waiters: [AsyncStream<StationSnapshot>.Continuation] = []
    }
    private let state = Mutex(State())

    func add(_ snapshot: StationSnapshot) {
      state.withLock { state in
        state.last = snapshot
        for waiter in state.waiters { waiter.yield(snapshot) }
      }
    }

    /// Waits for a snapshot; the test's time limit ends a wait that is in vain.
    @discardableResult
    func first(where condition: @Sendable (StationSnapshot) -> Bool) async throws
      -> StationSnapshot
    {
      let (stream, continuation) = AsyncStream.makeStream(of: StationSnapshot.self)
      state.withLock { state in
        if let last = state.last { continuation.yield(last) }
        state.waiters.append(continuation)
      }
      return try #require(await stream.first(where: condition))
    }
  }

  /// Joins, and says how far it came.
  func join(_ ssid: String, _ password: String? = nil) async -> (JoinOutcome, [JoinProgress]) {
    await join(Array(ssid.utf8), password)
  }

  func join(_ ssid: [UInt8], _ password: String? = nil) async -> (JoinOutcome, [JoinProgress]) {
    await join(NetworkRequest(ssid: ssid, password: password.map { SecretBytes($0.utf8) }))
  }

  func join(_ request: NetworkRequest) async -> (JoinOutcome, [JoinProgress]) {
    let steps = Mutex<[JoinProgress]>([])
    let outcome = await station.join(request) { step in steps.withLock { $0.append(step) } }
    return (outcome, steps.withLock { $0 })
  }

  /// Why joining failed; nil where it did not.
  func failure(_ ssid: String, _ password: String? = nil) async -> JoinFailure? {
    await join(ssid, password).0.failure
  }
}

/// Runs a test in a room of its own.
func inRoom(
  _ accessPoints: [SimulatedAccessPoint] = Room.homeAndCafe,
  board: SimulatedStation = SimulatedStation(), interface: String? = nil, timeScale: Double = 0.02,
  hasSupplicant: Bool = true, limits edit: @Sendable (inout Station.Limits) -> Void = { _ in },
  _ body: @escaping @Sendable (Room) async throws -> Void
) async throws {
  var limits = Station.Limits()
  limits.attempt = .seconds(10)
  limits.scan = .seconds(1)
  limits.scanSettling = .milliseconds(50)
  edit(&limits)
  let chosen = limits
  try await onPrivateBus { loop, bus in
    let networkManager = SimulatedNetworkManager(
      loop: loop, busAddress: bus.address, station: board, accessPoints: accessPoints,
      timeScale: timeScale, hasSupplicant: hasSupplicant)
    if board.hasNetworkManager { try await networkManager.start() }
    let connection = try await Connection.open(.address(bus.address), loop: loop)
    let station = Station(
      bus: connection, interface: interface, busAddress: bus.address, limits: chosen)
    let snapshots = Room.Snapshots()
    try await station.start { snapshots.add($0) }
    try await body(
      Room(
        networkManager: networkManager, station: station, snapshots: snapshots, bus: connection,
        loop: loop))
    await station.close()
    await networkManager.stop()
    await connection.close()
  }
}

extension Room {
  static let password = "correct horse battery"
  static let request = NetworkRequest(
    ssid: Array("Home".utf8), password: SecretBytes(password.utf8))
  static let home = SimulatedAccessPoint(
    name: "home", ssid: Array("Home".utf8), security: .wpa2, password: password)
  static let homeAndCafe = [
    home, SimulatedAccessPoint(name: "cafe", ssid: Array("Cafe".utf8), strength: 40),
  ]
}

extension JoinOutcome {
  var link: StationSnapshot.Link? {
    if case .connected(let link, _) = self { link } else { nil }
  }

  var failure: JoinFailure? {
    switch self {
    case .connected: nil
    case .failed(let failure), .rolledBack(let failure, _): failure
    }
  }
}
