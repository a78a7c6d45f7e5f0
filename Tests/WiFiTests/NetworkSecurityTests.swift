import Secrets
import Testing

@testable import WiFi

@Suite struct NetworkSecurityTests {
  @Test(arguments: [
    (0x0, 0x0, 0x0, NetworkSecurity.open),
    (0x1, 0x0, 0x188, .wpa2),
    (0x1, 0x144, 0x0, .wpa2),
    (0x1, 0x0, 0x588, .wpa2WPA3),
    (0x1, 0x0, 0x488, .wpa3),
    (0x0, 0x0, 0x888, .owe),
    // The open half of an OWE transition pair.
    (0x0, 0x0, 0x1000, .oweTransition),
    (0x1, 0x0, 0x0, .wep),
    (0x1, 0x0, 0x288, .enterprise),
    (0x1, 0x0, 0x2000, .enterprise192),
    (0x1, 0x0, 0x2200, .enterprise),
    // Bits that nobody has named yet.
    (0x1, 0x0, 0x8000_0188, .wpa2),
  ]) func flagsTellTheSecurity(
    flags: UInt32, wpa: UInt32, rsn: UInt32, expected: NetworkSecurity
  ) {
    #expect(NetworkSecurity(flags: flags, wpa: wpa, rsn: rsn) == expected)
  }

  @Test(arguments: [NetworkSecurity.wpa2, .wpa2WPA3])
  func aPassphraseHas8To63BytesAndAKey64HexDigits(security: NetworkSecurity) {
    for count in [1, 7, 64, 65, 128] {
      #expect(security.objection(to: [UInt8](repeating: 0x78, count: count)) != nil)
    }
    for count in [8, 63] {
      #expect(security.objection(to: [UInt8](repeating: 0x78, count: count)) == nil)
    }
    #expect(security.objection(to: [UInt8](repeating: 0x41, count: 64)) == nil)
    #expect(security.objection(to: Array("éééé".utf8)) == nil)
    #expect(security.objection(to: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) != nil)
  }

  @Test func aPasswordForSAEMayHaveAnyLength() {
    #expect(NetworkSecurity.wpa3.objection(to: [0x41]) == nil)
    #expect(NetworkSecurity.wpa3.objection(to: [UInt8](repeating: 0x41, count: 128)) == nil)
    #expect(NetworkSecurity.wpa3.objection(to: []) != nil)
  }

  @Test func aPasswordPrefersTheProtectedOfTwoNetworks() {
    func point(_ security: NetworkSecurity, _ strength: Int) -> AccessPoint {
      AccessPoint(
        path: "/\(strength)", ssid: [1], security: security, strength: strength, frequency: 2412,
        bssid: "02:00:00:00:00:\(strength)")
    }
    let open = NetworkRequest(ssid: [1])
    let protected = NetworkRequest(ssid: [1], password: SecretBytes([0x78]))
    let login = NetworkRequest(
      ssid: [1], login: EnterpriseLogin(method: .peap, identity: "me", server: .none))
    let points = [
      point(.open, 90), point(.wpa2, 50), point(.wpa2, 60), point(.enterprise, 95),
    ]
    #expect(points.best(for: protected)?.strength == 60)
    #expect(points.best(for: open)?.strength == 90)
    #expect(points.best(for: login)?.strength == 95)
    #expect(points.best(for: NetworkRequest(ssid: [2])) == nil)
    #expect(points.best(for: NetworkRequest(ssid: [1], kinds: [.owe])) == nil)
    #expect([point(.wep, 10)].best(for: protected)?.security == .wep)
  }

  @Test func percentagesAreDecibels() {
    #expect([-1, 0, 50, 100, 101].map { Signal.decibels($0) } == [-100, -100, -70, -40, -40])
  }
}
