import DBus
import KeyFile
import RadioSimulator
import Testing

/// Networks with an authentication server: what wpa_supplicant and NetworkManager tell of them.
@Suite(.timeLimit(.minutes(1))) struct EnterpriseTests {
  private static let ca = Array("the authority's certificate".utf8)
  private static let certificate = Array("Jane's certificate".utf8)
  private static let network = EnterpriseNetwork(
    methods: [.peap, .ttls, .tls], innerMethods: [.mschapv2, .pap], identity: "jane",
    password: "secret", caCertificate: ca, serverName: "radius.office.example",
    clientCertificate: certificate)
  private static let office = SimulatedAccessPoint(
    name: "office", ssid: Array("Office".utf8), security: .wpa2Enterprise, enterprise: network)

  private static func settings(_ method: String, _ values: [String: Value])
    -> SimulatedProfile.Settings
  {
    var settings = SimulatedProfile.Settings.joining("Office", keyManagement: "wpa-eap")
    settings["802-1x"] =
      ["eap": .strings([method]), "identity": .string("jane"), "ca-cert": .bytes(ca)]
      .merging(values) { $1 }
    return settings
  }

  @Test(
    arguments: [
      ("peap", ["phase2-auth": .string("mschapv2"), "password": .string("secret")]),
      ("ttls", ["phase2-auth": .string("pap"), "password": .string("secret")]),
      ("ttls", ["phase2-autheap": .string("mschapv2"), "password": .string("secret")]),
      ("tls", ["client-cert": .bytes(certificate), "private-key": .bytes([1])]),
      (
        "peap", ["password": .string("secret"), "domain-suffix-match": .string("office.example")]
      ),
    ] as [(String, [String: Value])])
  func whoIsKnownIsLetIn(method: String, values: [String: Value]) async throws {
    try await Joiner.inRange(of: [Self.office]) { joiner in
      try await joiner.join(Self.settings(method, values))
      await joiner.wait(forDevice: 100)
      #expect(
        joiner.eap == [
          "started/", "accept proposed method/" + method.uppercased(),
          "remote certificate verification/success", "completion/success",
        ])
      #expect(joiner.told("State").contains(.string("4way_handshake")))
    }
  }

  @Test(
    arguments: [
      (["password": .string("wrong")], ["remote certificate verification/success"]),
      (
        ["password": .string("secret"), "identity": .string("joe")],
        ["remote certificate verification/success"]
      ),
      (
        ["password": .string("secret"), "phase2-auth": .string("gtc")],
        ["remote certificate verification/success"]
      ),
      (
        ["password": .string("secret"), "ca-cert": .bytes([1])],
        [
          "remote certificate verification/unable to get local issuer certificate",
          "local TLS alert/unknown CA",
        ]
      ),
      (
        ["password": .string("secret"), "domain-suffix-match": .string("ice.example")],
        [
          "remote certificate verification/Domain suffix mismatch",
          "local TLS alert/bad certificate",
        ]
      ),
    ] as [([String: Value], [String])])
  func theSupplicantTellsAtOnceWhyNot(values: [String: Value], reports: [String]) async throws {
    try await Joiner.inRange(of: [Self.office]) { joiner in
      try await joiner.join(Self.settings("peap", values))
      await joiner.wait { message in
        message.arguments.count > 1
          && message.arguments[1].asDictionary?["DisconnectReason"] == .int32(23) ? () : nil
      }
      let expected =
        ["started/", "accept proposed method/PEAP"] + reports + ["completion/failure"]
      #expect(Array(joiner.eap.prefix(expected.count)) == expected)
      // NetworkManager goes on.
      #expect(joiner.deviceStates().last?.state == 50)
    }
  }

  @Test func aMethodThatIsNotOfferedIsRefused() async throws {
    var office = Self.office
    office.enterprise?.methods = [.ttls]
    try await Joiner.inRange(of: [office]) { joiner in
      try await joiner.join(Self.settings("peap", ["password": .string("secret")]))
      #expect(await joiner.wait(forDevice: 120) == 7)
      #expect(
        Array(joiner.eap.prefix(3)) == [
          "started/", "refuse proposed method/TTLS", "completion/failure",
        ])
    }
  }

  @Test func anotherClientsCertificateIsRefused() async throws {
    try await Joiner.inRange(of: [Self.office]) { joiner in
      try await joiner.join(
        Self.settings("tls", ["client-cert": .bytes([1]), "private-key": .bytes([1])]))
      #expect(await joiner.wait(forDevice: 120) == 7)
      #expect(joiner.eap.contains("remote TLS alert/unknown CA"))
    }
  }

  /// It asks for a password several times before it gives up.
  @Test func networkManagerIsSlowToGiveUp() async throws {
    try await Joiner.inRange(of: [Self.office]) { joiner in
      try await joiner.join(Self.settings("peap", ["password": .string("wrong")]))
      #expect(await joiner.wait(forDevice: 120) == 7)
      #expect(joiner.deviceStates().filter { $0 == .init(60, 0) }.count == 4)
    }
  }

  @Test func theCertificateMayBeInAFile() async throws {
    var office = Self.office
    let contents = try #require(try? Self.contents(of: #filePath))
    office.enterprise?.caCertificate = contents
    try await Joiner.inRange(of: [office]) { joiner in
      let reference = Array("file://\(#filePath)\0".utf8)
      try await joiner.join(
        Self.settings("peap", ["password": .string("secret"), "ca-cert": .bytes(reference)]))
      await joiner.wait(forDevice: 100)
    }
  }

  private static func contents(of path: String) throws -> [UInt8] {
    let text = """
      [access-point a]
      ssid = a
      security = wpa2-enterprise
      identity = a
      password = a
      ca-cert = \(path)
      """
    let scenario = try Scenario(try KeyFile(contents: Array(text.utf8), file: "a"), path: "a")
    return try #require(scenario.accessPoints.first?.enterprise?.caCertificate)
  }

  @Test func withoutTheSettingTheProfileIsRefused() async throws {
    try await Joiner.inRange(of: [Self.office]) { joiner in
      let error = await #expect(throws: BusError.self) {
        try await joiner.join(.joining("Office", keyManagement: "wpa-eap"))
      }
      #expect(error?.name == "org.freedesktop.NetworkManager.Settings.Connection.MissingSetting")
    }
  }
}
