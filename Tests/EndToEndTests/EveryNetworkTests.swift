import DBus
import Foundation
import MainLoop
import RadioSimulator
import Testing

/// What the command line can describe reaches NetworkManager, and what the board saw comes back.
@Suite(.timeLimit(.minutes(1))) struct EveryNetworkTests {
  private static let ca = Array(
    "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n".utf8)
  private static let office = SimulatedAccessPoint(
    name: "office", ssid: Array("Office".utf8), security: .wpa2Enterprise,
    enterprise: EnterpriseNetwork(
      identity: "someone", password: "correct horse battery", caCertificate: ca),
    frequency: 5180)
  private static let cellar = SimulatedAccessPoint(
    name: "cellar", ssid: Array("Cellar".utf8), security: .wpa3,
    password: "correct horse battery", isHidden: true)

  private func connect(
    _ stage: Stage, _ arguments: [String], password: String = "correct horse battery"
  ) async throws -> (end: ChildProcess.End, events: [Event], transcript: String) {
    let laptop = try stage.laptop(
      ["connect", "{device}", "--code", "{code}", "--password-stdin"] + arguments,
      input: password)
    let end = await laptop.end()
    return (end, laptop.events, laptop.transcript)
  }

  @Test func aFailureTellsWhatTheBoardSawAndWhereItIs() async throws {
    try await Stage.open(Stage.room) { stage in
      let board = try stage.board()
      try await stage.provision(board)
      await stage.simulator.networkManager.setAccessPoints([Stage.home, Self.office])
      let wrong = try await connect(
        stage,
        ["--ssid", "Office", "--eap", "peap", "--identity", "someone", "--no-server-validation"],
        password: "wrong horse battery")
      #expect(wrong.end == .exited(status: 13), "\(wrong.transcript)")
      #expect(wrong.events.first { $0.event == "risks" }?.risks == ["server-not-validated"])
      let states = wrong.events.filter { $0.event == "state" }
      let (failed, back) = try (#require(states.dropLast().last), #require(states.last))
      #expect(failed.state == "failed" && failed.returning == true)
      #expect(failed.reason == "enterprise-refused")
      #expect(back.state == "rolled-back" && back.returning == false && back.ssid == "Home")
      let result = try #require(wrong.events.last)
      #expect(result.message?.hasSuffix("The device is back in ‘Home’.") == true)
      #expect(result.evidence?.security == "wpa-eap" && result.evidence?.frequency == 5180)
      #expect(result.evidence?.supplicant.isEmpty == false)
      await stage.stop(board)
    }
  }

  @Test func whatTheCommandLineSaysIsWhatIsSaved() async throws {
    let room = Scenario(accessPoints: [Self.office, Self.cellar])
    try await Stage.open(room) { stage in
      let board = try stage.board()
      let certificate = stage.folder.appending(path: "ca.pem")
      try Data(Self.ca).write(to: certificate)
      let office = try await connect(
        stage,
        [
          "--ssid", "Office", "--eap", "peap", "--identity", "someone", "--anonymous-identity",
          "anonymous", "--ca-cert", certificate.path, "--domain", "example", "--priority", "7",
        ])
      #expect(office.end == .exited(status: 0), "\(office.transcript)\n\(board.transcript)")
      let cellar = try await connect(
        stage,
        [
          "--ssid", "Cellar", "--hidden", "--security", "sae", "--ipv4", "192.0.2.99/24",
          "--gateway", "192.0.2.1", "--dns", "192.0.2.1", "--ipv6", "off",
        ])
      #expect(cellar.end == .exited(status: 0), "\(cellar.transcript)\n\(board.transcript)")
      let profiles = await stage.simulator.networkManager.allProfiles.map(\.settings)
      try #require(profiles.count == 2)
      let enterprise = try #require(profiles[0]["802-1x"])
      #expect(enterprise["eap"]?.asStrings == ["peap"])
      #expect(enterprise["identity"]?.asString == "someone")
      #expect(enterprise["anonymous-identity"]?.asString == "anonymous")
      #expect(enterprise["domain-suffix-match"]?.asString == "example")
      #expect(enterprise["ca-cert"]?.asBytes == Self.ca)
      #expect(profiles[0]["connection"]?["autoconnect-priority"]?.asInteger == 7)
      #expect(profiles[1]["802-11-wireless"]?["hidden"]?.asBool == true)
      #expect(profiles[1]["802-11-wireless-security"]?["key-mgmt"]?.asString == "sae")
      #expect(profiles[1]["ipv4"]?["method"]?.asString == "manual")
      #expect(profiles[1]["ipv4"]?["gateway"]?.asString == "192.0.2.1")
      #expect(cellar.events.last { $0.event == "state" }?.ipv4 == "192.0.2.99")
      await stage.stop(board)
    }
  }

  @Test func theListOfNetworksHasAllOfThem() async throws {
    let many = (0..<200).map {
      SimulatedAccessPoint(
        name: "many\($0)", ssid: Array("Network \($0)".utf8), security: .wpa2,
        password: "correct horse battery", frequency: $0 == 7 ? 5180 : 2437)
    }
    try await Stage.open(Scenario(accessPoints: many + [Stage.home, Self.cellar])) { stage in
      let board = try stage.board()
      try await stage.provision(board)
      let laptop = try stage.laptop(["networks", "{device}", "--code", "{code}"])
      await stage.expect(laptop, endsWith: 0, beside: board)
      let networks = laptop.events.filter { $0.event == "network" }
      #expect(networks.count == 201)
      #expect(networks.first { $0.ssid == "Home" }?.known == true)
      #expect(networks.first { $0.ssid == "Network 7" }?.bands == [5])
      #expect(networks.first { $0.ssid == "Network 7" }?.known == false)
      #expect(laptop.events.first { $0.event == "networks" }?.hidden == 1)
      await stage.stop(board)
    }
  }
}
