import DBus
import Foundation
import MainLoop
import ProvisioningProtocol
import RadioSimulator
import Secrets
import TestSupport
import Testing

@testable import wifi_provision

/// The network of this machine, whose NetworkManager is a simulated one.
@Suite(.timeLimit(.minutes(1))) struct CurrentNetworkTests {
  private static let uuid = "0f0e0d0c-0b0a-4908-8706-050403020100"
  private static let ca = Array(
    "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n".utf8)

  /// Has the machine join a network, and describes it.
  private func describe(
    _ accessPoint: SimulatedAccessPoint, security: [String: Value]? = nil,
    enterprise: [String: Value]? = nil, wireless: [String: Value] = [:], mayRead: Bool = true,
    joined: @escaping @Sendable () throws -> Void = {}
  ) async throws -> Result<NetworkDescription, CurrentNetworkError> {
    var settings: SimulatedProfile.Settings = [
      "connection": [
        "id": .string("Home"), "uuid": .string(Self.uuid), "type": .string("802-11-wireless"),
      ],
      "802-11-wireless": ["ssid": .bytes(accessPoint.ssid)].merging(wireless) { $1 },
      "ipv4": ["method": .string("auto")], "ipv6": ["method": .string("auto")],
    ]
    settings["802-11-wireless-security"] = security
    settings["802-1x"] = enterprise
    let profile = settings
    return try await onPrivateBus { loop, bus in
      let manager = SimulatedNetworkManager(
        loop: loop, busAddress: bus.address, accessPoints: [accessPoint])
      try await manager.start()
      let connection = try await Connection.open(.address(bus.address), loop: loop)
      await manager.addProfile(profile)
      await manager.activateProfile(uuid: Self.uuid)
      var result: Result<NetworkDescription, CurrentNetworkError>
      repeat {
        do throws(CurrentNetworkError) {
          result = .success(try await CurrentNetwork(connection).describe())
        } catch {
          result = .failure(error)
        }
      } while result == .failure(.noNetwork)
      try joined()
      await manager.setRefusesEveryone(!mayRead)
      if case .success = result {
        do throws(CurrentNetworkError) {
          result = .success(try await CurrentNetwork(connection).describe())
        } catch {
          result = .failure(error)
        }
      }
      await connection.close()
      await manager.stop()
      return result
    }
  }

  private func password(_ text: String) throws -> WiFiPassword {
    try WiFiPassword(SecretBytes(text.utf8))
  }

  @Test func aNetworkWithAPassword() async throws {
    let ssid = try SSID([0x48, 0xFF, 0x00])
    let point = SimulatedAccessPoint(
      name: "home", ssid: ssid.bytes, security: .wpa2, password: "correct horse")
    let wpa: [String: Value] = [
      "key-mgmt": .string("wpa-psk"), "psk": .string("correct horse"),
    ]
    let expected = NetworkDescription(ssid: ssid, password: try password("correct horse"))
    #expect(try await describe(point, security: wpa) == .success(expected))
    // Whoever may not have the password gets nothing of it.
    #expect(try await describe(point, security: wpa, mayRead: false) == .failure(.refused))
  }

  @Test func aHiddenNetworkIsNamedWithItsKind() async throws {
    let point = SimulatedAccessPoint(
      name: "home", ssid: Array("Home".utf8), security: .wpa3, password: "x", isHidden: true)
    let result = try await describe(
      point, security: ["key-mgmt": .string("sae"), "psk": .string("x")],
      wireless: ["hidden": .boolean(true)])
    let expected = NetworkDescription(
      ssid: try SSID(Array("Home".utf8)), security: .sae, password: try password("x"),
      isHidden: true)
    #expect(result == .success(expected))
  }

  @Test func networksWithoutAPassword() async throws {
    let ssid = try SSID(Array("Café".utf8))
    let open = SimulatedAccessPoint(name: "cafe", ssid: ssid.bytes)
    #expect(try await describe(open) == .success(NetworkDescription(ssid: ssid)))
    let owe = SimulatedAccessPoint(name: "cafe", ssid: ssid.bytes, security: .owe)
    #expect(
      try await describe(owe, security: ["key-mgmt": .string("owe")])
        == .success(NetworkDescription(ssid: ssid)))
  }

  private func enterprise(
    _ changes: [String: Value?], joined: @escaping @Sendable () throws -> Void = {}
  ) async throws -> Result<NetworkDescription, CurrentNetworkError> {
    let point = SimulatedAccessPoint(
      name: "office", ssid: Array("Office".utf8), security: .wpa2Enterprise,
      enterprise: EnterpriseNetwork(
        methods: [.peap, .ttls], innerMethods: [.mschapv2, .pap], identity: "someone",
        password: "secret", caCertificate: Self.ca))
    var setting: [String: Value] = [
      "eap": .strings(["peap"]), "identity": .string("someone"), "password": .string("secret"),
      "phase2-auth": .string("mschapv2"),
    ]
    for (key, value) in changes { setting[key] = value }
    return try await describe(
      point, security: ["key-mgmt": .string("wpa-eap")], enterprise: setting, joined: joined)
  }

  @Test func aNetworkWithAnIdentity() async throws {
    let office = try SSID(Array("Office".utf8))
    let believing = try await enterprise([
      "eap": .strings(["ttls"]), "phase2-auth": .string("pap"), "ca-cert": .bytes(Self.ca),
      "domain-suffix-match": .string("example"), "anonymous-identity": .string("anonymous"),
    ])
    let expected = NetworkDescription(
      ssid: office, security: .wpaEAP,
      enterprise: EnterpriseCredentials(
        method: .ttls, identity: "someone", anonymousIdentity: "anonymous", phase2: .pap,
        password: try password("secret"), caCertificate: Self.ca,
        domainSuffix: "example"))
    #expect(believing == .success(expected))
  }

  @Test func theCertificateComesFromItsFile() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(Self.ca).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let stored = Value.bytes(Array("file://\(file.path)".utf8) + [0])
    for certificate in [stored, .bytes(Self.ca)] {
      let result = try await enterprise(["ca-cert": certificate])
      #expect(try result.get().enterprise?.caCertificate == Self.ca)
    }
    let gone = try await enterprise(
      ["ca-cert": stored], joined: { try FileManager.default.removeItem(at: file) })
    guard case .failure(.certificate) = gone else {
      Issue.record("\(gone)")
      return
    }
  }

  /// What this machine does carelessly is not passed on by itself.
  @Test func aNetworkThatIsNotValidatedIsNotPassedOn() async throws {
    let office = try SSID(Array("Office".utf8))
    #expect(try await enterprise([:]) == .failure(.unusable(office, .serverNotValidated)))
    let error = CommandResult(CurrentNetworkError.unusable(office, .serverNotValidated))
    #expect(error.exitCode == .usage && error.message.hasPrefix("‘Office’"))
  }

  @Test func theProgramSaysWhichNetworkBeforeAnythingIsSent() async throws {
    try await onPrivateBus { loop, bus in
      let manager = SimulatedNetworkManager(
        loop: loop, busAddress: bus.address,
        accessPoints: [SimulatedAccessPoint(name: "home", ssid: Array("Home".utf8))])
      try await manager.start()
      await manager.addProfile(uuid: Self.uuid, ssid: Array("Home".utf8))
      let connection = try await Connection.open(.address(bus.address), loop: loop)
      while (try? await CurrentNetwork(connection).describe()) == nil {}
      await connection.close()
      let program = try RunningProgram(
        ["--json", "connect", "Kitchen", "--use-current-network", "--code-stdin"],
        bus: bus.address, input: "314-159-266\n")
      // There is no Bluetooth here, so it comes no further.
      #expect(try await program.status() == 3)
      #expect(
        program.lines.first == #"{"event":"current-network","ssid":"Home","ssid_hex":"486f6d65"}"#)
      let alone = try RunningProgram(
        ["connect", "Kitchen", "--use-current-network", "--code-stdin"], bus: "unix:path=/none",
        input: "314-159-266\n")
      #expect(try await alone.status() == 2)
      #expect(alone.errors.contains("NetworkManager does not run on this machine."))
      await manager.stop()
    }
  }
}
