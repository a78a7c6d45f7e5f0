import DBus
import RadioSimulator
import Testing

/// How the simulated NetworkManager goes back to what was.
@Suite(.timeLimit(.minutes(1))) struct CheckpointTests {
  private static let cafe = SimulatedAccessPoint(name: "cafe", ssid: Array("Cafe".utf8))
  private static let home = SimulatedAccessPoint(
    name: "home", ssid: Array("Home".utf8), security: .wpa2, password: "correct horse battery")
  private static let right = SimulatedProfile.Settings.joining(
    "Home", psk: "correct horse battery", uuid: "home")

  private func onCafe(_ body: @escaping @Sendable (Joiner) async throws -> Void) async throws {
    try await Joiner.inRange(of: [Self.cafe, Self.home]) { joiner in
      await joiner.manager.addProfile(uuid: "cafe", ssid: Self.cafe.ssid)
      await joiner.wait(forDevice: 100)
      try await body(joiner)
    }
  }

  private static func create(_ joiner: Joiner, seconds: UInt32 = 0, flags: UInt32 = 0)
    async throws -> ObjectPath
  {
    let reply = try await joiner.call(
      "CheckpointCreate",
      [.objectPaths([try await joiner.device()]), .uint32(seconds), .uint32(flags)])
    return try #require(reply.first?.asObjectPath)
  }

  private static func checkpoints(_ joiner: Joiner) async throws -> [ObjectPath] {
    try #require(try await joiner.property("Checkpoints").asObjectPaths)
  }

  private static func joinHome(_ joiner: Joiner) async throws {
    let start = joiner.now
    try await joiner.join(right)
    await joiner.wait(forDevice: 100, since: start)
  }

  @Test func rollingBackLeavesTheNewNetworkForTheOldOne() async throws {
    try await onCafe { joiner in
      let checkpoint = try await Self.create(joiner)
      try await Self.joinHome(joiner)
      #expect(try await joiner.activeUUID() == "home")

      let start = joiner.now
      let reply = try await joiner.call("CheckpointRollback", [.objectPath(checkpoint)])
      let results = try #require(reply.first?.asEntries)
      #expect(results.map(\.value) == [.uint32(0)])
      #expect(results.first?.key.asString == "\(try await joiner.device())")
      await joiner.wait(forDevice: 100, since: start)
      #expect(
        joiner.deviceStates(since: start).map(\.description)
          == ["110(60)", "30(60)", "40(0)", "50(0)", "70(0)", "80(0)", "90(0)", "100(0)"])
      #expect(try await joiner.activeUUID() == "cafe")
      #expect(await joiner.manager.allProfiles.map(\.uuid) == ["cafe"])
      #expect(try await Self.checkpoints(joiner).isEmpty)
    }
  }

  @Test func rollsBackByItselfWhenTheTimeIsUp() async throws {
    try await onCafe { joiner in
      let checkpoint = try await Self.create(joiner, seconds: 1)
      #expect(try await Self.checkpoints(joiner) == [checkpoint])
      let interface = Joiner.name + ".Checkpoint"
      #expect(
        try await joiner.property("RollbackTimeout", of: interface, checkpoint) == .uint32(1))
      #expect(
        try await joiner.property("Devices", of: interface, checkpoint).asObjectPaths
          == [try await joiner.device()])
      try await Self.joinHome(joiner)
      try await joiner.wait(forConnection: "cafe")
      #expect(await joiner.manager.allProfiles.map(\.uuid) == ["cafe"])
      #expect(try await Self.checkpoints(joiner).isEmpty)
    }
  }

  @Test func aDestroyedCheckpointDoesNothing() async throws {
    try await onCafe { joiner in
      let checkpoint = try await Self.create(joiner, seconds: 60)
      try await Self.joinHome(joiner)
      try await joiner.call("CheckpointDestroy", [.objectPath(checkpoint)])
      #expect(try await Self.checkpoints(joiner).isEmpty)
      await joiner.manager.expireCheckpoints()
      #expect(try await joiner.activeUUID() == "home")
      let error = await #expect(throws: BusError.self) {
        try await joiner.call("CheckpointRollback", [.objectPath(checkpoint)])
      }
      #expect(error?.name == "org.freedesktop.NetworkManager.InvalidArguments")
    }
  }

  @Test func itsTimeCanBeMadeLonger() async throws {
    try await onCafe { joiner in
      let checkpoint = try await Self.create(joiner, seconds: 30)
      try await joiner.call(
        "CheckpointAdjustRollbackTimeout", [.objectPath(checkpoint), .uint32(90)])
      let timeout = try await joiner.property(
        "RollbackTimeout", of: Joiner.name + ".Checkpoint", checkpoint)
      #expect((90...100).contains(timeout.asInteger ?? 0))
    }
  }

  @Test func nothingHappensWhereNothingHasChanged() async throws {
    try await onCafe { joiner in
      let checkpoint = try await Self.create(joiner)
      let start = joiner.now
      try await joiner.call("CheckpointRollback", [.objectPath(checkpoint)])
      #expect(try await joiner.activeUUID() == "cafe")
      #expect(joiner.deviceStates(since: start).isEmpty)
    }
  }

  @Test func theOldProfileIsAsItWas() async throws {
    try await onCafe { joiner in
      let before = await joiner.manager.allProfiles.first?.settings
      for isDeleted in [false, true] {
        let checkpoint = try await Self.create(joiner)
        let path = try await joiner.profile("cafe")
        if isDeleted {
          try await joiner.call(path, Joiner.profile, "Delete")
        } else {
          var changed = try #require(before)
          changed["connection"]?["autoconnect"] = .boolean(false)
          try await joiner.call(path, Joiner.profile, "Update", [Joiner.value(changed)])
          #expect(await joiner.manager.allProfiles.first?.settings == changed)
        }
        let start = joiner.now
        try await joiner.call("CheckpointRollback", [.objectPath(checkpoint)])
        await joiner.wait(forDevice: 100, since: start)
        #expect(await joiner.manager.allProfiles.map(\.settings) == [before])
        #expect(try await joiner.activeUUID() == "cafe")
      }
    }
  }

  @Test func newProfilesGoWhereTheFlagSaysSo() async throws {
    try await onCafe { joiner in
      for (flags, left) in [(0, ["cafe", "kept 0"]), (2, ["cafe", "kept 0"])]
        as [(UInt32, [String])]
      {
        let checkpoint = try await Self.create(joiner, flags: flags)
        await joiner.manager.addProfile(uuid: "kept \(flags)", ssid: [1])
        try await joiner.call("CheckpointRollback", [.objectPath(checkpoint)])
        #expect(await joiner.manager.allProfiles.map(\.uuid) == left)
      }
    }
  }

  @Test func aDeviceWithoutANetworkIsDisconnectedAgain() async throws {
    try await Joiner.inRange(of: [Self.home]) { joiner in
      let checkpoint = try await Self.create(joiner)
      try await Self.joinHome(joiner)
      let start = joiner.now
      try await joiner.call("CheckpointRollback", [.objectPath(checkpoint)])
      #expect(await joiner.wait(forDevice: 30, since: start) == 39)
    }
  }

  @Test func oneDeviceIsInOneCheckpointUnlessAskedFor() async throws {
    try await onCafe { joiner in
      let first = try await Self.create(joiner)
      let error = await #expect(throws: BusError.self) { try await Self.create(joiner) }
      #expect(error?.name == "org.freedesktop.NetworkManager.InvalidArguments")
      let second = try await Self.create(joiner, flags: 8)
      #expect(try await Self.checkpoints(joiner) == [first, second])
      // The older one takes the younger with it.
      try await joiner.call("CheckpointRollback", [.objectPath(first)])
      #expect(try await Self.checkpoints(joiner).isEmpty)

      _ = try await Self.create(joiner)
      let last = try await Self.create(joiner, flags: 1)
      #expect(try await Self.checkpoints(joiner) == [last])
      try await joiner.call("CheckpointDestroy", [.objectPath(.root)])
      #expect(try await Self.checkpoints(joiner).isEmpty)
    }
  }

  @Test func aDeviceThatIsNotThereIsRefused() async throws {
    try await onCafe { joiner in
      let error = await #expect(throws: BusError.self) {
        try await joiner.call(
          "CheckpointCreate", [.objectPaths([Joiner.root]), .uint32(0), .uint32(0)])
      }
      #expect(error?.name == "org.freedesktop.NetworkManager.UnknownDevice")
    }
  }

  @Test func whoMayNotIsToldSo() async throws {
    try await onCafe { joiner in
      await joiner.manager.setRefusesEveryone(true)
      let error = await #expect(throws: BusError.self) { try await Self.create(joiner) }
      #expect(error?.name == "org.freedesktop.NetworkManager.PermissionDenied")
    }
  }
}
