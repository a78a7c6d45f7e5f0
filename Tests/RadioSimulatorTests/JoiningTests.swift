import DBus
import RadioSimulator
import Testing

/// How joining goes on each kind of network, well and badly.
@Suite(.timeLimit(.minutes(1))) struct JoiningTests {
  private typealias Settings = SimulatedProfile.Settings
  private static let password = "correct horse battery"

  private static func point(
    _ ssid: String, _ security: SimulatedAccessPoint.Security = .open
  ) -> SimulatedAccessPoint {
    let isOpen = security == .open || security == .owe || security == .oweTransition
    return SimulatedAccessPoint(
      name: ssid.lowercased(), ssid: Array(ssid.utf8), security: security,
      password: isOpen ? nil : password)
  }

  private static let hidden = SimulatedAccessPoint(
    name: "secret", ssid: Array("Secret".utf8), security: .wpa2, password: password, isHidden: true)

  /// Joins, and returns the reason for which it failed; nil where it did not.
  private static func failure(_ joiner: Joiner, _ settings: Settings) async throws -> Int? {
    let start = joiner.now
    try await joiner.join(settings)
    return await joiner.wait(since: start) { message -> Int?? in
      guard message.member == "StateChanged", message.interface == Joiner.device else {
        return nil
      }
      switch message.arguments[0].asInteger {
      case 100: return .some(nil)
      case 120: return message.arguments[2].asInteger
      default: return nil
      }
    }
  }

  // MARK: - Leaving one network for another

  @Test func theNewNetworkWaitsUntilTheOldOneHasLetGo() async throws {
    try await Joiner.inRange(of: [Self.point("Cafe"), Self.point("Home", .wpa2)]) { joiner in
      await joiner.manager.addProfile(uuid: "cafe", ssid: Array("Cafe".utf8))
      try await joiner.wait(forConnection: "cafe")
      let old = try await joiner.property(
        "ActiveConnection", of: Joiner.device, try await joiner.device())
      let start = joiner.now
      let (_, new) = try await joiner.join(.joining("Home", psk: Self.password, uuid: "home"))
      let both = [try #require(old.asObjectPath), new]
      await joiner.wait(since: start) { message in
        message.arguments.count > 1
          && message.arguments[1].asDictionary?["ActiveConnections"]?.asObjectPaths == both
          ? () : nil
      }
      try await joiner.wait(forConnection: "home")
      #expect(
        joiner.deviceStates(since: start).map(\.description) == [
          "110(60)", "30(60)", "40(0)", "50(0)", "60(0)", "40(0)", "50(0)", "70(0)", "80(0)",
          "90(0)", "100(0)",
        ])
      #expect(try await joiner.property("ActiveConnections").asObjectPaths == [new])
    }
  }

  @Test func afterAFailureTheOldNetworkComesBackByItself() async throws {
    try await Joiner.inRange(of: [Self.point("Cafe"), Self.point("Home", .wpa2)]) { joiner in
      await joiner.manager.addProfile(uuid: "cafe", ssid: Array("Cafe".utf8))
      try await joiner.wait(forConnection: "cafe")
      #expect(try await Self.failure(joiner, .joining("Home", psk: "wrong password")) == 7)
      try await joiner.wait(forConnection: "cafe")
      #expect(await joiner.manager.allProfiles.map(\.uuid) == ["cafe"])
    }
  }

  @Test func whatSomebodyDisconnectsStaysSo() async throws {
    try await Joiner.inRange(of: [Self.point("Cafe")]) { joiner in
      await joiner.manager.addProfile(uuid: "cafe", ssid: Array("Cafe".utf8))
      try await joiner.wait(forConnection: "cafe")
      let start = joiner.now
      try await joiner.call(try await joiner.device(), Joiner.device, "Disconnect")
      #expect(await joiner.wait(forDevice: 30, since: start) == 39)
      // A new profile would connect by itself.
      await joiner.manager.addProfile(uuid: "again", ssid: Array("Cafe".utf8))
      try await joiner.scan()
      #expect(try await joiner.activeUUID() == nil)
      // Who asks for it gets it.
      try await joiner.call(
        "ActivateConnection",
        [.objectPath(try await joiner.profile("cafe")), .objectPath(.root), .objectPath(.root)])
      try await joiner.wait(forConnection: "cafe")
    }
  }

  @Test func theBestSavedNetworkIsChosen() async throws {
    try await Joiner.inRange(of: [Self.point("Cafe"), Self.point("Home", .wpa2)]) { joiner in
      await joiner.manager.addProfile(uuid: "cafe", ssid: Array("Cafe".utf8))
      try await joiner.wait(forConnection: "cafe")
      var settings = Settings.joining("Home", psk: Self.password)
      settings["connection"] = [
        "id": .string("Home"), "uuid": .string("home"), "autoconnect-priority": .int32(10),
      ]
      await joiner.manager.addProfile(settings)
      // It does not leave a network by itself.
      try await joiner.scan()
      #expect(try await joiner.activeUUID() == "cafe")
      await joiner.manager.setAccessPoint("cafe", isSilent: true)
      try await joiner.wait(forConnection: "home")
    }
  }

  // MARK: - Hidden networks

  @Test func aHiddenNetworkIsJoinedByWhoKnowsItsName() async throws {
    try await Joiner.inRange(of: [Self.hidden]) { joiner in
      let listed = try #require(try await joiner.accessPoints().first)
      let interface = Joiner.name + ".AccessPoint"
      #expect(try await joiner.property("Ssid", of: interface, listed) == .bytes([]))

      var settings = Settings.joining("Secret", psk: Self.password)
      settings["802-11-wireless"]?["hidden"] = .boolean(true)
      #expect(try await Self.failure(joiner, settings) == nil)
      let active = try await joiner.property(
        "ActiveAccessPoint", of: Joiner.device + ".Wireless", try await joiner.device())
      let path = try #require(active.asObjectPath)
      #expect(try await joiner.property("Ssid", of: interface, path) == .bytes(Self.hidden.ssid))
    }
  }

  @Test func aHiddenNetworkIsNotFoundByWhoDoesNotAskForIt() async throws {
    try await Joiner.inRange(of: [Self.hidden]) { joiner in
      let listed = try #require(try await joiner.accessPoints().first)
      let start = joiner.now
      try await joiner.join(.joining("Secret", psk: Self.password), at: listed)
      #expect(await joiner.wait(forDevice: 120, since: start) == 53)
    }
  }

  @Test func aScanForANameFindsTheHiddenNetwork() async throws {
    try await Joiner.inRange(of: [Self.hidden]) { joiner in
      func names() async throws -> Set<[UInt8]> {
        var names: Set<[UInt8]> = []
        for path in try await joiner.accessPoints() {
          let name = try await joiner.property("Ssid", of: Joiner.name + ".AccessPoint", path)
          names.insert(name.asBytes ?? [])
        }
        return names
      }
      try await joiner.scan(for: [Array("Other".utf8)])
      #expect(try await names() == [[]])
      try await joiner.scan(for: [Array("Other".utf8), Self.hidden.ssid])
      #expect(try await names() == [[], Self.hidden.ssid])
    }
  }

  // MARK: - Kinds of security

  @Test(arguments: [
    (SimulatedAccessPoint.Security.wpa3, "sae", true), (.wpa2AndWPA3, "sae", true),
    (.wpa2AndWPA3, "wpa-psk", true), (.owe, "owe", false), (.oweTransition, "owe", false),
  ])
  func joins(security: SimulatedAccessPoint.Security, keyManagement: String, hasPassword: Bool)
    async throws
  {
    try await Joiner.inRange(of: [Self.point("Home", security)]) { joiner async throws in
      let settings = Settings.joining(
        "Home", psk: hasPassword ? Self.password : nil, keyManagement: keyManagement)
      #expect(try await Self.failure(joiner, settings) == nil)
    }
  }

  @Test func owesOpenTwinIsOpen() async throws {
    try await Joiner.inRange(of: [Self.point("Home", .oweTransition)]) { joiner in
      var kinds: Set<[Int]> = []
      for path in try await joiner.accessPoints() {
        let interface = Joiner.name + ".AccessPoint"
        let name = try await joiner.property("Ssid", of: interface, path).asBytes ?? []
        let flags = try await joiner.property("RsnFlags", of: interface, path).asInteger ?? 0
        kinds.insert([name.count, flags])
      }
      #expect(kinds == [[4, 0x1000], [0, 0x888]])
      #expect(try await Self.failure(joiner, .joining("Home")) == nil)
    }
  }

  @Test func networksOfOneNameAreToldApart() async throws {
    var open = Self.point("Home")
    open.strength = 90
    try await Joiner.inRange(of: [open, Self.point("Home", .wpa2)]) { joiner async throws in
      #expect(try await Self.failure(joiner, .joining("Home", psk: Self.password)) == nil)
      #expect(await joiner.manager.allProfiles.first?.settings["802-11-wireless"]?["hidden"] == nil)
    }
  }

  @Test func wepIsNotToBeHad() async throws {
    try await Joiner.inRange(of: [Self.point("Old", .wep)]) { joiner async throws in
      #expect(try await Self.failure(joiner, .joining("Old", keyManagement: "none")) == 9)
    }
  }

  /// Some radios say that they know WPA3.
  @Test func whereSAEFailsTheNetworkWorksWithoutIt() async throws {
    var point = Self.point("Home", .wpa2AndWPA3)
    point.failsSAE = true
    try await Joiner.inRange(of: [point]) { joiner async throws in
      var settings = Settings.joining("Home", psk: Self.password)
      #expect(try await Self.failure(joiner, settings) == 53)
      #expect(!joiner.told("AuthStatusCode").contains(.int32(0)))
      #expect(joiner.told("AuthStatusCode").contains(.int32(1)))
      settings["802-11-wireless-security"]?["pmf"] = .int32(1)
      #expect(try await Self.failure(joiner, settings) == nil)
    }
  }

  @Test func aSupplicantMayBeSilent() async throws {
    try await Joiner.inRange(
      of: [Self.point("Home", .wpa3)], station: SimulatedStation(hasSupplicant: false)
    ) { joiner async throws in
      let settings = Settings.joining("Home", psk: "wrong password", keyManagement: "sae")
      #expect(try await Self.failure(joiner, settings) == 53)
      #expect(joiner.told("State").isEmpty)
      await #expect(throws: BusError.self) {
        try await joiner.bus.call(
          Joiner.supplicant, ObjectPath(literal: "/fi/w1/wpa_supplicant1"), Joiner.supplicant,
          "GetInterface", [.string("wlan0")])
      }
    }
  }

  // MARK: - Vanishing

  @Test func anAccessPointThatVanishesIsMissed() async throws {
    try await Joiner.inRange(of: [Self.point("Cafe")]) { joiner in
      #expect(try await Self.failure(joiner, .joining("Cafe", uuid: "cafe")) == nil)
      let start = joiner.now
      #expect(await !joiner.manager.setAccessPoint("Cafe", isSilent: true))
      #expect(await joiner.manager.setAccessPoint("cafe", isSilent: true))
      #expect(await joiner.wait(forDevice: 120, since: start) == 53)
      #expect(joiner.told("DisconnectReason") == [.int32(-4)])
      #expect(try await joiner.accessPoints().isEmpty)
      await joiner.manager.setAccessPoint("cafe", isSilent: false)
      try await joiner.scan()
      #expect(try await joiner.accessPoints().count == 1)
    }
  }

  @Test(arguments: [("authenticating", 53), ("4way_handshake", 7), ("completed", 5)])
  func vanishingDuringTheAttemptEndsIt(state: String, reason: Int) async throws {
    try await Joiner.inRange(of: [Self.point("Home", .wpa2)]) { joiner async throws in
      #expect(await joiner.manager.setAccessPoint("home", isSilentFrom: state))
      #expect(
        try await Self.failure(joiner, .joining("Home", psk: Self.password)) == reason)
    }
  }

  // MARK: - Addresses

  @Test func addressesGivenByHandAreTaken() async throws {
    var mute = Self.point("Mute")
    mute.hasDHCP = false
    try await Joiner.inRange(of: [mute]) { joiner in
      var settings = Settings.joining("Mute")
      func addresses(_ text: String, _ prefix: UInt32) -> Value {
        .array(
          element: .dictionary(key: .string, value: .variant),
          [.properties(["address": .string(text), "prefix": .uint32(prefix)])])
      }
      settings["ipv4"] = [
        "method": .string("manual"), "address-data": addresses("198.51.100.7", 25),
        "gateway": .string("198.51.100.1"),
        // 198.51.100.53, as NetworkManager's older spelling has it.
        "dns": .array(element: .uint32, [.uint32(0x3564_33c6)]),
      ]
      settings["ipv6"] = [
        "method": .string("manual"), "address-data": addresses("2001:db8::7", 64),
        "dns-data": .strings(["2001:db8::53"]),
      ]
      #expect(try await Self.failure(joiner, settings) == nil)
      let device = try await joiner.device()
      let path4 = try await joiner.property("Ip4Config", of: Joiner.device, device).asObjectPath
      let path6 = try await joiner.property("Ip6Config", of: Joiner.device, device).asObjectPath
      let (ip4, ip6) = (Joiner.name + ".IP4Config", Joiner.name + ".IP6Config")
      let (config4, config6) = (try #require(path4), try #require(path6))
      #expect(
        try await joiner.property("AddressData", of: ip4, config4)
          == addresses("198.51.100.7", 25))
      #expect(try await joiner.property("Gateway", of: ip4, config4) == .string("198.51.100.1"))
      let servers = try await joiner.property("NameserverData", of: ip4, config4).asArray
      #expect(servers?.first?.asDictionary?["address"] == .string("198.51.100.53"))
      #expect(
        try await joiner.property("AddressData", of: ip6, config6) == addresses("2001:db8::7", 64))
      #expect(
        try await joiner.property("Nameservers", of: ip6, config6).asArray?.first?.asBytes
          == [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x53])
    }
  }

  @Test func ipv6AloneSufficesWhereIPv4MayFail() async throws {
    var point = Self.point("Six")
    point.hasDHCP = false
    point.hasIPv6 = true
    try await Joiner.inRange(of: [point]) { joiner in
      var settings = Settings.joining("Six")
      #expect(try await Self.failure(joiner, settings) == nil)
      let device = try await joiner.device()
      #expect(
        try await joiner.property("Ip4Config", of: Joiner.device, device) == .objectPath(.root))
      #expect(
        try await joiner.property("Ip6Config", of: Joiner.device, device) != .objectPath(.root))
      settings["ipv4"] = ["method": .string("auto"), "may-fail": .boolean(false)]
      #expect(try await Self.failure(joiner, settings) == 5)
    }
  }

  @Test func anAddressThatSomebodyHasIsSeenByWhoLooks() async throws {
    var point = Self.point("Taken")
    point.hasAddressConflict = true
    try await Joiner.inRange(of: [point]) { joiner async throws in
      var settings = Settings.joining("Taken")
      let address = Value.properties(["address": .string("192.0.2.7"), "prefix": .uint32(24)])
      settings["ipv4"] = [
        "method": .string("manual"),
        "address-data": .array(
          element: .dictionary(key: .string, value: .variant), [address]),
      ]
      #expect(try await Self.failure(joiner, settings) == nil)
      settings["ipv4"]?["dad-timeout"] = .int32(1000)
      #expect(try await Self.failure(joiner, settings) == 5)
    }
  }

  @Test func twoHundredNetworksAreListed() async throws {
    let points = (0..<200).map { Self.point("Network \($0)") }
    try await Joiner.inRange(of: points) { joiner in
      #expect(try await joiner.accessPoints().count == 200)
      var addresses: Set<String> = []
      for path in try await joiner.accessPoints() {
        let address = try await joiner.property("HwAddress", of: Joiner.name + ".AccessPoint", path)
        addresses.insert(address.asString ?? "")
      }
      #expect(addresses.count == 200)
    }
  }
}
