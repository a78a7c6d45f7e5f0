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
      let networks = try await room.station.scan()
      #expect(
        networks == [
          WirelessNetwork(
            ssid: Array("Home".utf8), security: .wpa2, signal: -52, accessPointCount: 2),
          WirelessNetwork(
            ssid: Array("Home".utf8), security: .open, signal: -88, accessPointCount: 1),
        ])
    }
  }

  @Test func anOldListIsRenewed() async throws {
    try await inRoom([]) { room in
      var networks = try await room.station.scan()
      #expect(networks.isEmpty)
      await room.networkManager.setAccessPoints([Room.home])
      networks = try await room.station.scan()
      #expect(networks.isEmpty)
      networks = try await room.station.scan(maximumAge: .zero)
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
