import Foundation
import ProvisioningProtocol
import Testing

@testable import wifi_provision

struct SecretSourceTests {
  /// What a file with these bytes gives.
  private func read(_ bytes: [UInt8], _ secret: Secret = .password) throws -> [UInt8] {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(bytes).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    return Array(try SecretSource.file(Array(path.path.utf8)).read(secret))
  }

  @Test(arguments: [
    ("secret\n", "secret"), ("secret\r\n", "secret"), ("secret", "secret"),
    ("secret\n\n", "secret\n"), (" secret ", " secret "), ("a\nb", "a\nb"),
    ("pässwörd\n", "pässwörd"),
  ])
  func oneLineEndIsCut(_ content: String, _ password: String) throws {
    #expect(try read(Array(content.utf8)) == Array(password.utf8))
  }

  @Test func theLongestPasswordIsTaken() throws {
    let longest = [UInt8](repeating: 0x61, count: 128)
    #expect(try read(longest) == longest)
    #expect(try read(longest + Array("\r\n".utf8)) == longest)
  }

  @Test(arguments: [129, 130, 131, 132, 100_000])
  func aLongerOneIsRefused(_ count: Int) {
    let error = #expect(throws: SecretError.self) {
      try read([UInt8](repeating: 0x61, count: count))
    }
    guard case .tooLong = error?.problem else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: ["", "\n", "\r\n"])
  func anEmptyOneIsRefusedWithTheWayOut(_ content: String) {
    let error = #expect(throws: SecretError.self) { try read(Array(content.utf8)) }
    guard case .empty = error?.problem else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.message.hasSuffix("give --open") == true)
  }

  @Test func aSetupCodeIsOneLine() throws {
    let lines = Array("314-159-266\r\nthe password\n".utf8)
    #expect(try read(lines, .setupCode) == Array("314-159-266".utf8))
    // Nothing after it is taken: the password is still there.
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    try #require(write(ends[1], lines, lines.count) == lines.count)
    close(ends[1])
    let code = try SecretSource.read(
      .setupCode, from: ends[0], until: .lineEnd, named: "the pipe")
    #expect(Array(code) == Array("314-159-266".utf8))
    let password = try SecretSource.read(
      .password, from: ends[0], until: .endOfFile, named: "the pipe")
    #expect(Array(password) == Array("the password".utf8))
  }

  @Test(arguments: ["/nonexistent/password", "/", ""])
  func aFileThatCannotBeReadIsNamed(_ path: String) {
    let error = #expect(throws: SecretError.self) {
      try SecretSource.file(Array(path.utf8)).read(.password)
    }
    guard case .unreadable(let source, let reason) = error?.problem else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(source == "‘\(path)’")
    #expect(!reason.isEmpty)
  }
}
