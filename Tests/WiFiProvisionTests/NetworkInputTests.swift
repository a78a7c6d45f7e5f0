import Foundation
import ProvisioningProtocol
import Secrets
import Synchronization
import Testing

@testable import wifi_provision

struct NetworkInputTests {
  private let folder: URL
  private let pem = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"
  private let ssid: SSID

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    ssid = try SSID(Array("Home".utf8))
  }

  private func file(_ name: String, _ content: [UInt8], mode: Int = 0o600) throws -> [UInt8] {
    let url = folder.appendingPathComponent(name)
    try Data(content).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    return Array(url.path.utf8)
  }

  private func tls(key: [UInt8], mode: Int = 0o600, password: SecretSource? = nil) throws
    -> NetworkInput
  {
    NetworkInput(
      NetworkDescription(
        ssid: ssid, enterprise: EnterpriseCredentials(method: .tls, identity: "board")),
      password: password, caCertificate: try file("ca", Array(pem.utf8)),
      clientCertificate: try file("certificate", Array(pem.utf8)),
      clientKey: try file("key", key, mode: mode))
  }

  @Test func filesAreTakenByteForByte() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    // The last byte of a key in DER may look like a line end.
    let key: [UInt8] = [0x30, 0x82] + [UInt8](repeating: 7, count: 30) + [0x0D, 0x0A]
    let enterprise = try #require(try tls(key: key).read { Issue.record("\($0)") }.enterprise)
    #expect(enterprise.clientKey.map { Array($0) } == key)
    #expect(enterprise.caCertificate == Array(pem.utf8))
    #expect(enterprise.clientCertificate == Array(pem.utf8))
    #expect(enterprise.password.isEmpty)
  }

  @Test func aKeyThatEverybodyCanReadIsWarnedOf() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let key = Array("-----BEGIN PRIVATE KEY-----\n".utf8)
    for (mode, count) in [(0o600, 0), (0o640, 0), (0o644, 1)] {
      var warnings: [String] = []
      _ = try tls(key: key, mode: mode).read { warnings.append($0) }
      #expect(warnings.count == count)
    }
  }

  @Test func anEncryptedKeyHasItsPassphrase() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let key = Array("-----BEGIN ENCRYPTED PRIVATE KEY-----\n".utf8)
    let given = try tls(key: key, password: .file(file("passphrase", Array("horse\n".utf8))))
    let enterprise = try given.read { _ in }.enterprise
    #expect(enterprise?.password == (try WiFiPassword(SecretBytes("horse".utf8))))
    // There is no terminal here to ask on.
    let error = #expect(throws: SecretError.self) { try tls(key: key).read { _ in } }
    #expect(error?.secret == .passphrase)
  }

  @Test func whatDoesNotBelongTogetherIsSaidBeforeAnythingIsSent() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let wrong = try tls(key: Array("no key".utf8))
    let error = #expect(throws: SecretError.self) { try wrong.read { _ in } }
    #expect(error?.problem == .network(.certificateForm(.clientKey)))
    let result = CommandResult(try #require(error))
    #expect(result.exitCode == .usage && result.reason == "invalid-settings")
    #expect(result.message == "The client key is neither PEM nor DER.")
    let short = NetworkInput(
      NetworkDescription(ssid: ssid, security: .wpaPSK),
      password: .file(try file("password", Array("short".utf8))))
    let format = #expect(throws: SecretError.self) { try short.read { _ in } }
    #expect(format.map { CommandResult($0).reason } == "password-format")
  }

  @Test func certificatesThatDoNotFitAMessageAreRefused() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var large = try tls(key: Array("-----BEGIN PRIVATE KEY-----\n".utf8))
    let filler = [UInt8](repeating: UInt8(ascii: "x"), count: 9000)
    large.caCertificate = try file("large", Array(pem.utf8) + filler)
    large.clientCertificate = large.caCertificate
    let error = #expect(throws: SecretError.self) { try large.read { _ in } }
    guard case .network(.tooLong) = error?.problem else {
      Issue.record("\(String(describing: error))")
      return
    }
    large.caCertificate = try file("larger", Array(pem.utf8) + filler + filler)
    let other = #expect(throws: SecretError.self) { try large.read { _ in } }
    #expect(other.map { $0.secret } == .caCertificate)
  }
}
