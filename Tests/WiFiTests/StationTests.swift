import DBus
import MainLoop
import RadioSimulator
import Testing

@testable import WiFi

@Suite(.timeLimit(.minutes(1))) struct StationTests {
  @Test func networkManagerMayComeLater() async throws {
    try await inRoom(board: SimulatedStation(hasNetworkManager: false)) { room in
      #expect(await room.station.snapshot.availability == .networkManagerNotRunning)
      try await room.networkManager.start()
      let snapshot = try await room.snapshots.first { $0.availability == .available }
      #expect(snapshot.interface == "wlan0")
    }
  }

  @Test func aRestartOfNetworkManagerIsFollowed() async throws {
    try await inRoom { room in
      #expect(await room.join("Home", Room.password).0.link != nil)
      await room.networkManager.stop()
      try await room.snapshots.first { $0.availability == .networkManagerNotRunning }
      try await room.networkManager.start()
      let snapshot = try await room.snapshots.first { $0.link != nil }
      #expect(snapshot.link?.ssid == Array("Home".utf8))
    }
  }

  @Test func theDeviceIsFollowedWithoutAClient() async throws {
    try await inRoom(board: SimulatedStation(hasDevice: false)) { room in
      let manager = room.networkManager
      #expect(await room.station.snapshot.availability == .noDevice)
      await manager.change { $0.hasDevice = true }
      try await room.snapshots.first { $0.availability == .available }
      await manager.change { $0.isRadioOn = false }
      try await room.snapshots.first { $0.availability == .radioBlocked }
      await manager.change { $0.isRadioOn = true }
      try await room.snapshots.first { $0.availability == .available }
      await manager.change { $0.isManaged = false }
      try await room.snapshots.first { $0.availability == .notManaged }
      await manager.change { $0.hasDevice = false }
      try await room.snapshots.first { $0.availability == .noDevice }
    }
  }

  @Test func aLinkThatGoesIsSeen() async throws {
    try await inRoom { room in
      #expect(await room.join("Home", Room.password).0.link != nil)
      #expect(await room.station.refresh().link?.address == IPv4Address("192.0.2.23"))
      await room.networkManager.change { $0.isRadioOn = false }
      try await room.snapshots.first { $0.link == nil }
    }
  }

  @Test func onlyTheConfiguredInterfaceIsUsed() async throws {
    try await inRoom(interface: "wlan7") { room in
      #expect(await room.station.snapshot.availability == .noDevice)
      #expect(await room.failure("Home", Room.password)?.reason == .noDevice)
    }
    try await inRoom(interface: "wlan0") { room in
      #expect(await room.join("Home", Room.password).0.link != nil)
      let settings = await room.networkManager.allProfiles.first?.settings["connection"]
      #expect(settings?["interface-name"]?.asString == "wlan0")
    }
  }

  @Test func aScanMergesAccessPointsBySSIDAndSecurity() async throws {
    func point(_ ssid: String, _ security: SimulatedAccessPoint.Security, _ strength: UInt8)
      -> SimulatedAccessPoint
    {
      SimulatedAccessPoint(
        name: ssid, ssid: Array(ssid.utf8), security: security,
        password: security == .open ? nil : Room.password, strength: strength)
    }
    var hidden = point("Secret", .wpa2, 90)
    hidden.isHidden = true
    let points = [
      point("Home", .wpa2, 50), point("Home", .wpa2, 80), point("Home", .open, 20), hidden,
    ]
    try await inRoom(points) { room in
      let seen = try await room.station.scan()
      #expect(
        seen.networks == [
          WirelessNetwork(
            ssid: Array("Home".utf8), security: .wpa2, signal: -52, accessPointCount: 2,
            frequencies: [2437], isKnown: false),
          WirelessNetwork(
            ssid: Array("Home".utf8), security: .open, signal: -88, accessPointCount: 1,
            frequencies: [2437], isKnown: false),
        ])
      #expect(seen.hiddenCount == 1)
      let age = try #require(seen.age)
      #expect(age < .seconds(30))
    }
  }

  @Test func anOldListIsRenewed() async throws {
    try await inRoom([]) { room in
      var networks = try await room.station.scan().networks
      #expect(networks.isEmpty)
      await room.networkManager.setAccessPoints([Room.home])
      networks = try await room.station.scan().networks
      #expect(networks.isEmpty)
      networks = try await room.station.scan(maximumAge: .zero).networks
      #expect(networks.map(\.ssid) == [Room.home.ssid])
    }
  }

  /// A radio that Bluetooth shares is left alone after that.
  @Test func aProvisionerHasOneScan() async throws {
    try await inRoom([]) { room in
      try await room.station.open()
      _ = try await room.station.scan(maximumAge: .zero)
      await room.networkManager.setAccessPoints([Room.home])
      var networks = try await room.station.scan(maximumAge: .zero).networks
      #expect(networks.isEmpty)
      await room.station.close()
      try await room.station.open()
      networks = try await room.station.scan(maximumAge: .zero).networks
      #expect(networks.map(\.ssid) == [Room.home.ssid])
    }
  }

  @Test func scanningWithoutADeviceSaysSo() async throws {
    try await inRoom(board: SimulatedStation(hasDevice: false)) { room in
      await #expect(throws: StationError.self) { try await room.station.scan() }
    }
  }

  @Test func forgettingDeletesEveryProfileOfTheNetwork() async throws {
    try await inRoom { room in
      let manager = room.networkManager
      await manager.addProfile(uuid: "open", ssid: Room.home.ssid)
      await manager.addProfile(uuid: "other", ssid: Array("Cafe".utf8))
      #expect(await room.join("Home", Room.password).0.link != nil)
      var count = try await room.station.forget(ssid: Room.home.ssid)
      #expect(count == 2)
      #expect(await manager.allProfiles.map(\.uuid) == ["other"])
      count = try await room.station.forget(ssid: Room.home.ssid)
      #expect(count == 0)
      // What is left connects.
      try await room.snapshots.first { $0.link?.ssid == Array("Cafe".utf8) }
    }
  }

  @Test func forgettingLeavesEverythingElse() async throws {
    try await inRoom([]) { room in
      let manager = room.networkManager
      let home = Room.home.ssid
      await manager.addProfile(uuid: "home", ssid: home)
      for (number, ssid) in [home.dropLast(), home + [0], Array("home".utf8)].enumerated() {
        await manager.addProfile(uuid: "other \(number)", ssid: Array(ssid))
      }
      await manager.addProfile(.wireless("own access point", home, mode: "ap"))
      await manager.addProfile(.wired("cable"))
      let count = try await room.station.forget(ssid: home)
      #expect(count == 1)
      #expect(
        await manager.allProfiles.map(\.uuid) == [
          "other 0", "other 1", "other 2", "own access point", "cable",
        ])
    }
  }

  @Test func whoMayNotForgetIsToldSo() async throws {
    try await inRoom([]) { room in
      let manager = room.networkManager
      await manager.addProfile(uuid: "home", ssid: Room.home.ssid)
      await manager.setRefusesEveryone(true)
      let error = await #expect(throws: StationError.self) {
        try await room.station.forget(ssid: Room.home.ssid)
      }
      #expect(error?.reason == .permissionDenied)
      #expect(await manager.allProfiles.count == 1)
    }
  }

  @Test func listsWhatIsKeptForWiFi() async throws {
    try await inRoom { room in
      let manager = room.networkManager
      var networks = try await room.station.savedNetworks()
      #expect(networks.isEmpty)
      await manager.addProfile(uuid: "cafe", ssid: Array("Cafe".utf8))
      await manager.addProfile(uuid: "cafe again", ssid: Array("Cafe".utf8))
      await manager.addProfile(uuid: "odd", ssid: [0xff, 0x20], keyManagement: "owe")
      await manager.addProfile(
        uuid: "office", ssid: Array("Office".utf8), keyManagement: "wpa-eap")
      await manager.addProfile(.wireless("by hand", Room.home.ssid, autoconnect: false))
      await manager.addProfile(.wireless("own access point", Room.home.ssid, mode: "ap"))
      await manager.addProfile(.wired("cable"))
      #expect(await room.join("Home", Room.password).0.link != nil)
      func network(
        _ ssid: [UInt8], _ security: NetworkSecurity, used: Bool = false, automatic: Bool = true
      ) -> SavedNetwork {
        SavedNetwork(
          ssid: ssid, security: security, isInUse: used, connectsAutomatically: automatic)
      }
      networks = try await room.station.savedNetworks()
      #expect(
        networks == [
          network(Room.home.ssid, .wpa2WPA3, used: true),
          network(Array("Cafe".utf8), .open),
          network(Room.home.ssid, .open, automatic: false),
          network(Array("Office".utf8), .enterprise),
          network([0xff, 0x20], .owe),
        ])
    }
  }

  @Test func aTrialIsNotListed() async throws {
    try await inRoom { room in
      await room.networkManager.setDiskIsReadOnly(true)
      #expect(await room.join("Home", Room.password).0.link != nil)
      #expect(await room.networkManager.allProfiles.count == 1)
      let networks = try await room.station.savedNetworks()
      #expect(networks.isEmpty)
    }
  }

  @Test func listingWithoutNetworkManagerSaysSo() async throws {
    try await inRoom(board: SimulatedStation(hasNetworkManager: false)) { room in
      let error = await #expect(throws: StationError.self) {
        try await room.station.savedNetworks()
      }
      #expect(error?.reason == .networkManagerNotRunning)
    }
  }

  @Test func theClientMayBeOpenedAndClosedAtAnyTime() async throws {
    try await inRoom { room in
      for _ in 0..<5 {
        try await room.station.open()
        try await room.station.open()
        await room.station.close()
      }
      async let opened: Void = room.station.open()
      await room.station.close()
      _ = try? await opened
      #expect(await room.join("Home", Room.password).0.link != nil)
    }
  }
}

extension SimulatedProfile.Settings {
  fileprivate static func wireless(
    _ uuid: String, _ ssid: [UInt8], mode: String = "infrastructure", autoconnect: Bool = true
  ) -> Self {
    [
      "connection": [
        "id": .string(uuid), "uuid": .string(uuid), "type": .string("802-11-wireless"),
        "autoconnect": .boolean(autoconnect && mode != "ap"),
      ],
      "802-11-wireless": ["ssid": .bytes(ssid), "mode": .string(mode)],
    ]
  }

  fileprivate static func wired(_ uuid: String) -> Self {
    [
      "connection": [
        "id": .string(uuid), "uuid": .string(uuid), "type": .string("802-3-ethernet"),
      ],
      "802-3-ethernet": [:],
    ]
  }
}
