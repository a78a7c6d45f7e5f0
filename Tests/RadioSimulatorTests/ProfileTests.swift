import DBus
import RadioSimulator
import Testing

/// What the simulated NetworkManager keeps of a profile, and whom it gives it to.
@Suite(.timeLimit(.minutes(1))) struct ProfileTests {
  private static let home = SimulatedAccessPoint(
    name: "home", ssid: Array("Home".utf8), security: .wpa2, password: "correct horse battery")

  private static let profile: SimulatedProfile.Settings = [
    "connection": [
      "id": .string("Office"), "uuid": .string("office"), "type": .string("802-11-wireless"),
      "autoconnect-priority": .int32(7),
    ],
    "802-11-wireless": ["ssid": .bytes([0xff, 0]), "hidden": .boolean(true)],
    "802-11-wireless-security": ["key-mgmt": .string("wpa-eap")],
    "802-1x": [
      "eap": .strings(["ttls"]), "identity": .string("jane"), "password": .string("secret"),
      "ca-cert": .bytes([0x30, 0, 0xff]), "private-key-password": .string("also secret"),
    ],
  ]

  private static func add(_ joiner: Joiner, flags: UInt32 = 0x1) async throws -> ObjectPath {
    let settings = ObjectPath(literal: "/org/freedesktop/NetworkManager/Settings")
    let reply = try await joiner.call(
      settings, Joiner.name + ".Settings", "AddConnection2",
      [Joiner.value(profile), .uint32(flags), .properties([:])])
    return try #require(reply.first?.asObjectPath)
  }

  private static func settings(_ joiner: Joiner, _ path: ObjectPath) async throws
    -> [String: [String: Value]]
  {
    let reply = try await joiner.call(path, Joiner.profile, "GetSettings")
    return try #require(reply.first?.asDictionary).mapValues { $0.asDictionary ?? [:] }
  }

  @Test func aProfileIsKeptWholeAndShownWithoutSecrets() async throws {
    try await Joiner.inRange(of: []) { joiner in
      let path = try await Self.add(joiner)
      var shown = Self.profile
      shown["802-1x"]?["password"] = nil
      shown["802-1x"]?["private-key-password"] = nil
      #expect(try await Self.settings(joiner, path) == shown)
      let secrets = try await joiner.call(path, Joiner.profile, "GetSecrets", [.string("802-1x")])
      #expect(
        secrets.first?.asDictionary?["802-1x"]?.asDictionary == [
          "password": .string("secret"), "private-key-password": .string("also secret"),
        ])
      let error = await #expect(throws: BusError.self) {
        try await joiner.call(path, Joiner.profile, "GetSecrets", [.string("vpn")])
      }
      #expect(
        error?.name == "org.freedesktop.NetworkManager.Settings.Connection.SettingNotFound")
    }
  }

  @Test func anUpdateWithoutSecretsKeepsThem() async throws {
    try await Joiner.inRange(of: []) { joiner in
      let path = try await Self.add(joiner)
      func update(_ settings: SimulatedProfile.Settings) async throws {
        try await joiner.call(
          path, Joiner.profile, "Update2",
          [Joiner.value(settings), .uint32(1), .properties([:])])
      }
      var changed = Self.profile
      changed["connection"]?["id"] = .string("Bureau")
      changed["802-1x"]?["password"] = nil
      changed["802-1x"]?["private-key-password"] = nil
      try await update(changed)
      var profile = try #require(await joiner.manager.allProfiles.first)
      #expect(profile.id == "Bureau")
      #expect(profile.settings["802-1x"]?["password"] == .string("secret"))
      // With one of them it replaces all.
      changed["802-1x"]?["password"] = .string("new")
      try await update(changed)
      profile = try #require(await joiner.manager.allProfiles.first)
      #expect(profile.settings["802-1x"]?["password"] == .string("new"))
      #expect(profile.settings["802-1x"]?["private-key-password"] == nil)
      // Nothing at all changes nothing.
      try await update([:])
      #expect(await joiner.manager.allProfiles.first?.settings == changed)
    }
  }

  @Test(arguments: [0x80, 0x3, 0x11] as [UInt32])
  func flagsThatContradictEachOtherAreRefused(flags: UInt32) async throws {
    try await Joiner.inRange(of: []) { joiner in
      let path = try await Self.add(joiner)
      let error = await #expect(throws: BusError.self) {
        try await joiner.call(
          path, Joiner.profile, "Update2", [Joiner.value([:]), .uint32(flags), .properties([:])])
      }
      #expect(error?.name == "org.freedesktop.NetworkManager.Settings.InvalidArguments")
    }
  }

  @Test func aVolatileProfileInUseBecomesAKeptOneByAFlag() async throws {
    try await Joiner.inRange(of: [Self.home]) { joiner in
      let path = try await joiner.join(
        .joining("Home", psk: "correct horse battery", uuid: "home")
      ).profile
      await joiner.wait(forDevice: 100)
      #expect(try await joiner.property("Flags", of: Joiner.profile, path) == .uint32(5))
      try await joiner.call(
        path, Joiner.profile, "Update2", [Joiner.value([:]), .uint32(1), .properties([:])])
      #expect(try await joiner.property("Flags", of: Joiner.profile, path) == .uint32(0))
      let timestamp = try await Self.settings(joiner, path)["connection"]?["timestamp"]
      #expect((timestamp?.asInteger ?? 0) > 0)
      let start = joiner.now
      try await joiner.call(try await joiner.device(), Joiner.device, "Disconnect")
      await joiner.wait(forDevice: 30, since: start)
      #expect(await joiner.manager.allProfiles.map(\.password) == ["correct horse battery"])
    }
  }

  @Test func readOnlyStorageIsToldAsAnError() async throws {
    try await Joiner.inRange(
      of: [Self.home], station: SimulatedStation(hasWritableStorage: false)
    ) { joiner in
      let path = try await joiner.join(.joining("Home", psk: "correct horse battery")).profile
      await joiner.wait(forDevice: 100)
      var error = await #expect(throws: BusError.self) {
        try await joiner.call(
          path, Joiner.profile, "Update2", [Joiner.value([:]), .uint32(1), .properties([:])])
      }
      #expect(error?.name == "org.freedesktop.NetworkManager.Settings.Failed")
      error = await #expect(throws: BusError.self) { _ = try await Self.add(joiner) }
      #expect(error?.name == "org.freedesktop.NetworkManager.Settings.Failed")
      _ = try await Self.add(joiner, flags: 0x2)
      #expect(await joiner.manager.allProfiles.count == 2)
    }
  }

  @Test func whoMayChangeNothingIsToldSoFromTheStart() async throws {
    try await Joiner.inRange(of: [Self.home], station: SimulatedStation(isPermitted: false)) {
      joiner in
      let error = await #expect(throws: BusError.self) {
        try await joiner.join(.joining("Home", psk: "correct horse battery"))
      }
      #expect(error?.name == "org.freedesktop.NetworkManager.PermissionDenied")
    }
  }
}
