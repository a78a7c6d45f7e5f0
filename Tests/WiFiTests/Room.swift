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
  let loop: MainLoop

  /// What the station told of itself, in order; on the loop's thread.
  final class Snapshots: Sendable {
    private struct Waiter {
      let condition: @Sendable (StationSnapshot) -> Bool
      let continuation: CheckedContinuation<StationSnapshot, Never>
    }
    private let state = Mutex<(last: StationSnapshot?, waiters: [Waiter])>((nil, []))

    func add(_ snapshot: StationSnapshot) {
      let met = state.withLock { state in
        state.last = snapshot
        let met = state.waiters.filter { $0.condition(snapshot) }
        state.waiters.removeAll { $0.condition(snapshot) }
        return met
      }
      for waiter in met { waiter.continuation.resume(returning: snapshot) }
    }

    /// Waits for a snapshot; the test's time limit ends a wait that is in vain.
    func first(where condition: @escaping @Sendable (StationSnapshot) -> Bool) async
      -> StationSnapshot
    {
      await withCheckedContinuation { continuation in
        let early: StationSnapshot? = state.withLock { state in
          if let last = state.last, condition(last) { return last }
          state.waiters.append(Waiter(condition: condition, continuation: continuation))
          return nil
        }
        if let early { continuation.resume(returning: early) }
      }
    }
  }

  /// Joins, and says how far it came.
  func join(_ ssid: String, _ password: String? = nil) async -> (JoinOutcome, [JoinProgress]) {
    await join(Array(ssid.utf8), password)
  }

  func join(_ ssid: [UInt8], _ password: String? = nil) async -> (JoinOutcome, [JoinProgress]) {
    let steps = Mutex<[JoinProgress]>([])
    let outcome = await station.join(
      ssid: ssid, password: password.map { SecretBytes($0.utf8) }
    ) { step in steps.withLock { $0.append(step) } }
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
  limits edit: @Sendable (inout Station.Limits) -> Void = { _ in },
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
      timeScale: timeScale)
    if board.hasNetworkManager { try await networkManager.start() }
    let connection = try await Connection.open(.address(bus.address), loop: loop)
    let station = Station(
      bus: connection, interface: interface, busAddress: bus.address, limits: chosen)
    let snapshots = Room.Snapshots()
    try await station.start { snapshots.add($0) }
    try await body(
      Room(networkManager: networkManager, station: station, snapshots: snapshots, loop: loop))
    await station.close()
    await networkManager.stop()
    await connection.close()
  }
}

extension Room {
  static let password = "correct horse battery"
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
    if case .failed(let failure) = self { failure } else { nil }
  }
}
