import DBus
import RadioSimulator
import Secrets
import Testing

@testable import WiFi

/// Every kind of network that people have: joined, and the reason where that fails.
@Suite(.timeLimit(.minutes(1))) struct NetworkKindTests {
  private static let authority = Array("the authority's certificate".utf8)
  private static let certificate = Array("Jane's certificate".utf8)

  private static let office = SimulatedAccessPoint(
    name: "office", ssid: Array("Office".utf8), security: .wpa2Enterprise,
    enterprise: EnterpriseNetwork(
      methods: [.peap, .ttls, .tls], innerMethods: [.mschapv2, .pap], identity: "jane",
      password: "secret", caCertificate: authority, serverName: "radius.office.example",
      clientCertificate: certificate))

  private static let peap = EnterpriseLogin(
    method: .peap, identity: "jane", password: SecretBytes("secret".utf8),
    server: .authority(authority))

  private static let tls = EnterpriseLogin(
    method: .tls, identity: "jane", server: .authority(authority),
    clientCertificate: certificate, clientKey: SecretBytes("the key".utf8))

  private static let mute = {
    var point = SimulatedAccessPoint(name: "mute", ssid: Array("Mute".utf8))
    point.hasDHCP = false
    return point
  }()

  private static let hidden = {
    var point = Room.home
    point.isHidden = true
    return point
  }()

  private static func request(_ ssid: String, _ edit: (inout NetworkRequest) -> Void = { _ in })
    -> NetworkRequest
  {
    var request = NetworkRequest(ssid: Array(ssid.utf8))
    edit(&request)
    return request
  }

  // MARK: - Enterprise

  @Test(arguments: [
    peap,
    EnterpriseLogin(
      method: .ttls, identity: "jane", anonymousIdentity: "anybody", phase2: .pap,
      password: SecretBytes("secret".utf8), server: .authority(authority)),
    EnterpriseLogin(
      method: .ttls, identity: "jane", phase2: .mschapv2, password: SecretBytes("secret".utf8),
      server: .authority(authority), domainSuffix: "office.example"),
    EnterpriseLogin(
      method: .peap, identity: "jane", password: SecretBytes("secret".utf8), server: .none),
    tls,
  ])
  func joinsWithALogin(_ login: EnterpriseLogin) async throws {
    try await inRoom([Self.office]) { room in
      let (outcome, _) = await room.join(Self.request("Office") { $0.login = login })
      #expect(outcome.link?.ssid == Self.office.ssid, "\(outcome)")
      let profiles = await room.networkManager.allProfiles
      #expect(profiles.map(\.isSaved) == [true])
      let setting = profiles.first?.settings["802-1x"] ?? [:]
      #expect(setting["eap"]?.asStrings == [login.method.rawValue])
      #expect(setting["anonymous-identity"]?.asString == login.anonymousIdentity)
      // Saving did not lose the secrets.
      if login.method != .tls { #expect(setting["password"]?.asString == "secret") }
    }
  }

  private static let wrongLogins: [EnterpriseLogin] = {
    var (password, identity, authority, domain, method) = (peap, peap, peap, peap, peap)
    password.password = SecretBytes("wrong".utf8)
    identity.identity = "joe"
    authority.server = .authority([1])
    domain.domainSuffix = "elsewhere.example"
    method.phase2 = .gtc
    var certificate = tls
    certificate.clientCertificate = [1]
    var systemAuthorities = peap
    systemAuthorities.server = .systemAuthorities
    systemAuthorities.domainSuffix = "office.example"
    return [password, identity, authority, domain, method, certificate, systemAuthorities]
  }()

  /// NetworkManager would go on for more than a minute.
  @Test(arguments: wrongLogins)
  func aRefusedLoginIsToldEarly(_ login: EnterpriseLogin) async throws {
    try await inRoom([Self.office]) { room in
      let failure = await room.join(Self.request("Office") { $0.login = login }).0.failure
      #expect(failure?.reason == .loginRefused)
      #expect(failure?.evidence.security == .enterprise)
      #expect(failure?.evidence.transitions.contains { $0.state == 120 } == false)
      #expect(failure?.evidence.supplicant.isEmpty == false)
      #expect(await room.networkManager.allProfiles.isEmpty)
    }
  }

  @Test func withoutTheSupplicantALoginIsRefusedLater() async throws {
    try await inRoom([Self.office], hasSupplicant: false) { room in
      let failure = await room.join(Self.request("Office") { $0.login = Self.wrongLogins[0] }).0
        .failure
      #expect(failure?.reason == .rejected)
      #expect(await room.networkManager.allProfiles.isEmpty)
      #expect(await room.join(Self.request("Office") { $0.login = Self.peap }).0.link != nil)
    }
  }

  // MARK: - Hidden

  @Test func aHiddenNetworkIsJoined() async throws {
    try await inRoom([Self.hidden]) { room in
      let request = Self.request("Home") {
        $0.isHidden = true
        $0.password = SecretBytes(Room.password.utf8)
      }
      #expect(await room.join(request).0.link?.ssid == Self.hidden.ssid)
      let profile = await room.networkManager.allProfiles.first
      #expect(profile?.settings["802-11-wireless"]?["hidden"]?.asBool == true)
      // The device finds it again by itself.
      await room.networkManager.change { $0.isRadioOn = false }
      try await room.snapshots.first { $0.link == nil }
      await room.networkManager.change { $0.isRadioOn = true }
      try await room.snapshots.first { $0.link?.address != nil }
    }
  }

  @Test func aHiddenNetworkMayBeAskedForWithoutSayingThatItIs() async throws {
    try await inRoom([Self.hidden]) { room in
      #expect(await room.join("Home", Room.password).0.link != nil)
      #expect(
        await room.networkManager.allProfiles.first?.settings["802-11-wireless"]?["hidden"]?.asBool
          == true)
    }
  }

  @Test func aWrongPasswordOfAHiddenNetworkIsToldSo() async throws {
    try await inRoom([Self.hidden]) { room in
      #expect(await room.failure("Home", "wrong password")?.reason == .wrongPassword)
    }
  }

  @Test func aHiddenNetworkThatDoesNotAnswerIsToldSo() async throws {
    try await inRoom([Self.hidden]) { room in
      let request = Self.request("Elsewhere") {
        $0.isHidden = true
        $0.password = SecretBytes(Room.password.utf8)
      }
      #expect(await room.join(request).0.failure?.reason == .hiddenNetworkSilent)
    }
  }

  // MARK: - OWE, and what is refused

  /// Where OWE fails, the open network beside it is for those alone who did not ask for more.
  @Test(
    arguments: [
      (nil, 2), ([.open, .oweTransition], 2), ([.owe, .oweTransition], 1),
    ] as [(Set<WiFi.NetworkSecurity>?, Int)])
  func whoAsksForEncryptionIsNotJoinedWithoutIt(kinds: Set<WiFi.NetworkSecurity>?, ways: Int)
    async throws
  {
    var point = SimulatedAccessPoint(name: "x", ssid: Array("X".utf8), security: .oweTransition)
    point.refusesStations = true
    try await inRoom([point]) { room in
      let (outcome, steps) = await room.join(Self.request("X") { $0.kinds = kinds })
      #expect(outcome.failure?.reason == .accessPointRefused)
      #expect(steps.count { $0 == .associating } == ways)
    }
  }

  @Test(arguments: [SimulatedAccessPoint.Security.owe, .oweTransition])
  func joinsEncryptedWithoutAPassword(security: SimulatedAccessPoint.Security) async throws {
    let point = SimulatedAccessPoint(name: "cafe", ssid: Array("Cafe".utf8), security: security)
    try await inRoom([point]) { room in
      #expect(await room.join("Cafe").0.link != nil)
      #expect(await room.networkManager.allProfiles.map(\.keyManagement) == ["owe"])
      #expect(await room.failure("Cafe", "a password")?.reason == .passwordFormat)
    }
  }

  @Test func wepIsRefusedUntried() async throws {
    let point = SimulatedAccessPoint(
      name: "old", ssid: Array("Old".utf8), security: .wep, password: "12345")
    try await inRoom([point]) { room in
      let failure = await room.failure("Old", "12345")
      #expect(failure?.reason == .securityNotSupported)
      #expect(failure?.evidence.transitions.isEmpty == true)
    }
  }

  @Test func anAdHocNetworkIsRefused() async throws {
    let point = SimulatedAccessPoint(name: "pair", ssid: Array("Pair".utf8), isAdHoc: true)
    try await inRoom([point]) { room in
      let failure = await room.failure("Pair")
      #expect(failure?.reason == .securityNotSupported)
    }
  }

  @Test func ofTwoNetworksOfOneNameTheOneThatFitsIsJoined() async throws {
    var open = SimulatedAccessPoint(name: "open", ssid: Room.home.ssid)
    open.strength = 95
    try await inRoom([open, Room.home]) { room in
      #expect(await room.join("Home", Room.password).0.link != nil)
      #expect(await room.networkManager.allProfiles.map(\.keyManagement) == ["wpa-psk"])
      #expect(await room.join("Home").0.link != nil)
      #expect(await room.networkManager.allProfiles.map(\.keyManagement) == ["wpa-psk", nil])
    }
  }

  // MARK: - Addresses

  @Test func addressesByHandNeedNoDHCP() async throws {
    try await inRoom([Self.mute]) { room in
      let request = Self.request("Mute") {
        $0.ipv4 = .manual(
          .init(
            address: "198.51.100.7", prefixLength: 25, gateway: "198.51.100.1",
            nameservers: ["198.51.100.53"]))
        $0.ipv6 = .manual(
          .init(
            address: "2001:db8:1::7", prefixLength: 64, gateway: "2001:db8:1::1",
            nameservers: ["2001:db8:1::53"]))
      }
      let link = try #require(await room.join(request).0.link)
      #expect(link.address == IPv4Address("198.51.100.7"))
      #expect(link.ipv6Addresses == ["2001:db8:1::7"])
      #expect(link.gateways == ["198.51.100.1", "2001:db8:1::1"])
      #expect(link.nameservers == ["198.51.100.53", "2001:db8:1::53"])
    }
  }

  @Test func ipv4IsRequiredUnlessItIsSaidOtherwise() async throws {
    var six = Self.mute
    six.hasIPv6 = true
    try await inRoom([six]) { room in
      #expect(await room.failure("Mute")?.reason == .noAddress)
      for settings in [IPSettings.optional, .off] {
        let link = await room.join(Self.request("Mute") { $0.ipv4 = settings }).0.link
        #expect(link != nil)
        #expect(link?.address == nil)
        #expect(link?.ipv6Addresses == ["2001:db8::23"])
      }
    }
  }

  @Test func anAddressConflictIsToldSo() async throws {
    var point = Room.home
    point.hasAddressConflict = true
    try await inRoom([point]) { room in
      var request = Room.request
      request.ipv4 = .manual(.init(address: "192.0.2.7", prefixLength: 24))
      #expect(await room.join(request).0.failure?.reason == .addressConflict)
    }
  }

  // MARK: - What goes wrong outside

  @Test(arguments: [
    ("authenticating", [JoinFailure.Reason.outOfRange]), ("associated", [.outOfRange, .rejected]),
    ("4way_handshake", [.outOfRange, .rejected]), ("completed", [.noAddress, .outOfRange]),
  ])
  func anAccessPointThatVanishesIsNotTheWrongPassword(
    state: String, reasons: [JoinFailure.Reason]
  ) async throws {
    try await inRoom([Room.home]) { room in
      let manager = room.networkManager
      await manager.setAccessPoint("home", isSilentFrom: state)
      let failure = try #require(await room.join("Home", Room.password).0.failure)
      #expect(reasons.contains(failure.reason), "\(failure)")
      #expect(await manager.allProfiles.isEmpty)
      // It comes back, and all is well.
      await manager.setAccessPoint("home", isSilent: false)
      #expect(await room.join("Home", Room.password).0.link != nil)
    }
  }

  @Test(arguments: [
    (SimulatedAccessPoint.Internet.full, Connectivity.full), (.portal, .portal), (.none, .limited),
  ])
  func theWayToTheInternetIsTold(internet: SimulatedAccessPoint.Internet, expected: Connectivity)
    async throws
  {
    var point = Room.home
    point.internet = internet
    try await inRoom([point]) { room in
      #expect(await room.join("Home", Room.password).0.link?.connectivity == expected)
    }
  }

  @Test func aCableChangesNothing() async throws {
    var portal = Room.home
    portal.internet = .portal
    try await inRoom([portal], board: SimulatedStation(hasEthernet: true)) { room in
      #expect(await room.station.snapshot.interface == "wlan0")
      #expect(await room.station.snapshot.link == nil)
      let before = await room.networkManager.allProfiles.map(\.settings)
      let failed = await room.join("Home", "wrong password").0
      // There is no network to go back to.
      guard case .failed(let failure) = failed else {
        Issue.record("\(failed)")
        return
      }
      #expect(failure.reason == .wrongPassword)
      #expect(await room.networkManager.allProfiles.map(\.settings) == before)
      let link = await room.join("Home", Room.password).0.link
      #expect(link?.address == IPv4Address("192.0.2.23"))
      // The Wi-Fi's own, though the board has the internet.
      #expect(link?.connectivity == .portal)
      let count = try await room.station.savedNetworks().count
      #expect(count == 1)
    }
  }

  @Test func aBoardMayPermitOrStoreNothing() async throws {
    try await inRoom(board: SimulatedStation(isPermitted: false)) { room in
      #expect(await room.failure("Home", Room.password)?.reason == .permissionDenied)
    }
    try await inRoom(board: SimulatedStation(hasWritableStorage: false)) { room in
      guard case .connected(_, saved: false) = await room.join("Home", Room.password).0 else {
        Issue.record("joined and not saved")
        return
      }
    }
  }

  @Test func twoHundredNetworksAreListedWithWhatIsKnownOfThem() async throws {
    let points = (1...200).map { number in
      SimulatedAccessPoint(
        name: "\(number)", ssid: Array("Network \(number)".utf8),
        frequency: number.isMultiple(of: 2) ? 5180 : 2437, strength: UInt8(number % 100))
    }
    try await inRoom(points) { room in
      await room.networkManager.addProfile(uuid: "known", ssid: Array("Network 7".utf8))
      let seen = try await room.station.scan()
      #expect(seen.networks.count == 200)
      #expect(seen.networks.filter(\.isKnown).map(\.ssid) == [Array("Network 7".utf8)])
      #expect(seen.networks.map(\.signal) == seen.networks.map(\.signal).sorted(by: >))
      #expect(seen.networks.filter { $0.frequencies == [5180] }.count == 100)
    }
  }
}
