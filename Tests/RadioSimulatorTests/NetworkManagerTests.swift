import DBus
import MainLoop
import RadioSimulator
import TestSupport
import Testing

/// What a program that speaks to the simulated NetworkManager itself sees of it.
@Suite(.timeLimit(.minutes(1))) struct NetworkManagerTests {
  private static let name = "org.freedesktop.NetworkManager"
  private static let root = ObjectPath(literal: "/org/freedesktop/NetworkManager")
  private static let cafe = SimulatedAccessPoint(name: "cafe", ssid: Array("Cafe".utf8))
  private static let router = SimulatedAccessPoint(name: "router", ssid: Array("NETGEAR".utf8))

  private func withNetworkManager(
    _ points: [SimulatedAccessPoint],
    _ body: @escaping @Sendable (SimulatedNetworkManager, Connection) async throws -> Void
  ) async throws {
    try await onPrivateBus { loop, bus in
      let manager = SimulatedNetworkManager(
        loop: loop, busAddress: bus.address, accessPoints: points)
      try await manager.start()
      let client = try await Connection.open(.address(bus.address), loop: loop)
      try await body(manager, client)
      await client.close()
      await manager.stop()
    }
  }

  private static func objects(_ client: Connection, _ member: String) async throws -> [ObjectPath] {
    let reply = try await client.call(name, root, name, member)
    return reply.first?.asObjectPaths ?? []
  }

  private static func add(
    _ client: Connection, ssid: String, at point: ObjectPath = .root,
    options: [String: Value] = ["persist": .string("volatile")]
  ) async throws(BusError) {
    let wireless = Value.properties(["ssid": .bytes(Array(ssid.utf8))])
    let settings = Value.dictionary(
      key: .string, value: .dictionary(key: .string, value: .variant),
      [.init(.string("802-11-wireless"), wireless)])
    _ = try await client.call(
      name, root, name, "AddAndActivateConnection2",
      [settings, .objectPath(.root), .objectPath(point), .properties(options)])
  }

  private static func accessPoint(_ client: Connection) async throws -> ObjectPath {
    let device = try #require(try await objects(client, "GetDevices").first)
    let reply = try await client.call(
      name, device, "org.freedesktop.NetworkManager.Device.Wireless", "GetAllAccessPoints")
    return try #require(reply.first?.asObjectPaths?.first)
  }

  @Test func anUnknownOptionIsRefused() async throws {
    try await withNetworkManager([Self.cafe]) { manager, client in
      await #expect {
        try await Self.add(client, ssid: "Cafe", options: ["presist": .string("volatile")])
      } throws: {
        ($0 as? BusError)?.name == "org.freedesktop.NetworkManager.InvalidArguments"
      }
      #expect(await manager.allProfiles.isEmpty)
    }
  }

  @Test func anAccessPointThatIsNotThereIsRefused() async throws {
    try await withNetworkManager([Self.cafe]) { manager, client in
      let gone = ObjectPath(literal: "/org/freedesktop/NetworkManager/AccessPoint/99")
      await #expect {
        try await Self.add(client, ssid: "Cafe", at: gone)
      } throws: {
        ($0 as? BusError)?.name
          == "org.freedesktop.NetworkManager.Device.SpecificObjectNotFound"
      }
      #expect(await manager.allProfiles.isEmpty)
    }
  }

  /// The traps of an incomplete profile: a device that probes for ever, and no roaming.
  @Test func whatIsLeftOutIsCompletedAsNetworkManagerDoes() async throws {
    try await withNetworkManager([Self.router]) { manager, client in
      try await Self.add(client, ssid: "Unseen")
      let unseen = try #require(await manager.allProfiles.first)
      #expect(unseen.settings["802-11-wireless"]?["hidden"]?.asBool == true)
      #expect(unseen.settings["connection"]?["interface-name"]?.asString == "wlan0")

      let point = try await Self.accessPoint(client)
      try await Self.add(client, ssid: "NETGEAR", at: point)
      let router = try #require(await manager.allProfiles.last)
      #expect(router.settings["802-11-wireless"]?["bssid"]?.asBytes?.count == 6)
      #expect(router.settings["802-11-wireless"]?["hidden"] == nil)
    }
  }

  @Test func volatileProfilesGoWithTheirActivationAndSavedOnesStay() async throws {
    try await withNetworkManager([Self.cafe]) { manager, client in
      await manager.addProfile(uuid: "kept", ssid: Array("Other".utf8))
      try await Self.add(client, ssid: "Cafe", at: try await Self.accessPoint(client))
      #expect(await manager.allProfiles.count == 2)
      await manager.stop()
      try await manager.start()
      #expect(await manager.allProfiles.map(\.uuid) == ["kept"])
    }
  }

  @Test func whoIsRefusedIsToldSo() async throws {
    try await withNetworkManager([Self.cafe]) { manager, client in
      await manager.setRefusesEveryone(true)
      await #expect {
        try await Self.add(client, ssid: "Cafe")
      } throws: {
        ($0 as? BusError)?.name == "org.freedesktop.NetworkManager.PermissionDenied"
      }
    }
  }
}
