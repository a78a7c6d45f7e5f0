import DBus
import MainLoop
import RadioSimulator
import Secrets
import Synchronization
import Testing

@testable import WiFi

/// A device that was in a network before keeps it, whatever becomes of the attempt.
@Suite(.timeLimit(.minutes(1))) struct RollBackTests {
  /// Runs a test with the device in the network ‘Cafe’.
  private func onCafe(
    _ points: [SimulatedAccessPoint] = Room.homeAndCafe,
    limits: @Sendable (inout Station.Limits) -> Void = { _ in },
    _ body: @escaping @Sendable (Room) async throws -> Void
  ) async throws {
    try await inRoom(points, limits: limits) { room in
      await room.networkManager.addProfile(uuid: "cafe", ssid: Array("Cafe".utf8))
      try await room.snapshots.first { $0.link?.ssid == Array("Cafe".utf8) }
      try await body(room)
    }
  }

  /// What the attempt told on the way, and what came of it.
  private func join(_ room: Room, _ password: String) async -> (JoinOutcome, [JoinFailure]) {
    let told = Mutex<[JoinFailure]>([])
    let outcome = await room.station.join(
      NetworkRequest(ssid: Array("Home".utf8), password: SecretBytes(password.utf8))
    ) { failure in
      told.withLock { $0.append(failure) }
    } progress: { _ in
    }
    return (outcome, told.withLock { $0 })
  }

  @Test func aWrongPasswordLeadsBack() async throws {
    try await onCafe { room in
      let before = await room.networkManager.allProfiles.map(\.settings)
      let (outcome, told) = await join(room, "wrong password")
      guard case .rolledBack(let failure, let link) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(failure.reason == .wrongPassword)
      #expect(told.map(\.reason) == [.wrongPassword])
      #expect(link.ssid == Array("Cafe".utf8))
      #expect(await room.networkManager.allProfiles.map(\.settings) == before)
      let left = try await room.checkpoints()
      #expect(left == [])
    }
  }

  @Test func theRightOneLeavesTheOldProfileAlone() async throws {
    try await onCafe { room in
      let (outcome, told) = await join(room, Room.password)
      #expect(outcome.link?.ssid == Array("Home".utf8))
      #expect(told.isEmpty)
      #expect(await room.networkManager.allProfiles.count == 2)
      let left = try await room.checkpoints()
      #expect(left == [])
    }
  }

  @Test func tenWrongAttemptsDoNoHarm() async throws {
    try await onCafe { room in
      for _ in 0..<10 {
        guard case .rolledBack = await join(room, "wrong password").0 else {
          Issue.record("not back")
          return
        }
      }
      #expect(await join(room, Room.password).0.link != nil)
    }
  }

  @Test func whatIsRefusedBeforeTheAttemptTouchesNothing() async throws {
    try await onCafe { room in
      let (outcome, told) = await join(room, "short")
      #expect(outcome.failure?.reason == .passwordFormat)
      guard case .failed = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(told.isEmpty)
      #expect(await room.station.refresh().link?.ssid == Array("Cafe".utf8))
    }
  }

  @Test func aNewPasswordOfTheNetworkInUseReplacesTheProfile() async throws {
    try await inRoom { room in
      #expect(await room.join("Home", Room.password).0.link != nil)
      let (outcome, _) = await join(room, "wrong password")
      guard case .rolledBack(_, let link) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(link.ssid == Array("Home".utf8))
      #expect(await room.networkManager.allProfiles.map(\.password) == [Room.password])
      #expect(await join(room, Room.password).0.link != nil)
      #expect(await room.networkManager.allProfiles.count == 1)
    }
  }

  @Test func whoActivatesAnotherNetworkIsNotOverruled() async throws {
    try await onCafe { room in
      let manager = room.networkManager
      let outcome = await room.station.join(Room.request) { _ in
        Issue.record("goes back")
      } progress: { step in
        guard step == .authenticating else { return }
        Task { await manager.activateProfile(uuid: "cafe") }
      }
      #expect(outcome.failure?.reason == .superseded)
    }
  }

  @Test func withoutTheRightToCheckpointsItGoesBackAllTheSame() async throws {
    try await onCafe { room in
      await room.networkManager.setRefusesCheckpoints(true)
      guard case .rolledBack(_, let link) = await join(room, "wrong password").0 else {
        Issue.record("not back")
        return
      }
      #expect(link.ssid == Array("Cafe".utf8))
    }
  }

  /// A service manager gives a program less time to end than a network that is gone takes.
  @Test func whoCancelsDoesNotWaitForTheNetworkBefore() async throws {
    try await onCafe(limits: { $0.wayBack = .seconds(600) }) { room in
      await room.networkManager.setAccessPoint("cafe", isSilentFrom: "authenticating")
      let station = room.station
      let (steps, continuation) = AsyncStream.makeStream(of: JoinProgress.self)
      let attempt = Task {
        defer { continuation.finish() }
        return await station.join(Room.request) { continuation.yield($0) }
      }
      for await step in steps where step == .authenticating {
        attempt.cancel()
        break
      }
      #expect(await attempt.value.failure?.reason == .cancelled)
      #expect(await room.networkManager.allProfiles.map(\.uuid) == ["cafe"])
      let left = try await room.checkpoints()
      #expect(left == [])
    }
  }

  /// As does the next attempt, which finds the device on its way.
  @Test func cancellingEndsTheWaitForTheNetworkBefore() async throws {
    try await onCafe(limits: { $0.wayBack = .seconds(50) }) { room in
      await room.networkManager.setAccessPoint("cafe", isSilentFrom: "authenticating")
      let station = room.station
      let (failures, continuation) = AsyncStream.makeStream(of: JoinFailure.self)
      let attempt = Task {
        defer { continuation.finish() }
        return await station.join(
          NetworkRequest(ssid: Array("Home".utf8), password: SecretBytes("wrong password".utf8))
        ) { failure in
          continuation.yield(failure)
        } progress: { _ in
        }
      }
      for await _ in failures {
        attempt.cancel()
        break
      }
      #expect(await attempt.value.failure?.reason == .wrongPassword)
      #expect(await room.join("Home", Room.password).0.link != nil)
    }
  }

  @Test func whoDoesNotWaitForTheNetworkBeforeStillGetsBackThere() async throws {
    try await onCafe { room in
      let station = room.station
      let wrong = NetworkRequest(
        ssid: Array("Home".utf8), password: SecretBytes("wrong password".utf8))
      for _ in 0..<3 {
        let (failures, continuation) = AsyncStream.makeStream(of: JoinFailure.self)
        let attempt = Task {
          defer { continuation.finish() }
          return await station.join(wrong) {
            continuation.yield($0)
          } progress: { _ in
          }
        }
        for await _ in failures {
          attempt.cancel()
          break
        }
        #expect(await attempt.value.failure?.reason == .wrongPassword)
      }
      let (outcome, _) = await join(room, "wrong password")
      guard case .rolledBack(_, let link) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(link.ssid == Array("Cafe".utf8))
    }
  }

  /// It would take the device back two minutes later, from wherever it is then.
  @Test func noCheckpointIsLeftWhereThereIsNoWayBack() async throws {
    try await onCafe(limits: { $0.wayBack = .milliseconds(300) }) { room in
      let manager = room.networkManager
      let outcome = await room.station.join(
        NetworkRequest(ssid: Array("Home".utf8), password: SecretBytes("wrong password".utf8))
      ) { _ in
        Task { await manager.change { $0.isRadioOn = false } }
      } progress: { _ in
      }
      guard case .failed(let failure) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(failure.reason == .wrongPassword)
      let left = try await room.checkpoints()
      #expect(left == [])
    }
  }

  @Test func whatAKilledProgramLeftBehindIsRolledBackAtTheStart() async throws {
    try await onCafe { room in
      let bus = room.bus
      let device = try #require(
        try await bus.call(
          NetworkManagerBus.name, NetworkManagerBus.path, NetworkManagerBus.manager, "GetDevices"
        ).first?.asObjectPaths?.first)
      _ = try await bus.call(
        NetworkManagerBus.name, NetworkManagerBus.path, NetworkManagerBus.manager,
        NetworkManagerBus.createCheckpoint, [.objectPaths([device]), .uint32(127), .uint32(8)])
      // Another program's.
      _ = try await bus.call(
        NetworkManagerBus.name, NetworkManagerBus.path, NetworkManagerBus.manager,
        NetworkManagerBus.createCheckpoint, [.objectPaths([device]), .uint32(60), .uint32(8)])
      await room.networkManager.addProfile(
        uuid: "home", ssid: Array("Home".utf8), keyManagement: "wpa-psk",
        password: Room.password)
      await room.networkManager.activateProfile(uuid: "home")
      try await room.snapshots.first { $0.link?.ssid == Array("Home".utf8) }
      try await Station(bus: bus).start { _ in }
      try await room.snapshots.first { $0.link?.ssid == Array("Cafe".utf8) }
    }
  }
}

extension Room {
  /// NetworkManager's checkpoints.
  fileprivate func checkpoints() async throws -> [ObjectPath]? {
    try await bus.call(
      NetworkManagerBus.name, NetworkManagerBus.path, StandardInterface.properties, "Get",
      [.string(NetworkManagerBus.manager), .string(NetworkManagerBus.checkpoints)]
    ).first?.asObjectPaths
  }
}
