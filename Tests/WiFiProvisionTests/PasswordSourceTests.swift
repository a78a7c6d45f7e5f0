import Foundation
import ProvisioningProtocol
import Testing

@testable import wifi_provision

struct PasswordSourceTests {
  /// What a file with these bytes gives.
  private func read(_ bytes: [UInt8]) throws -> [UInt8] {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(bytes).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    return Array(try PasswordSource.file(Array(path.path.utf8)).read().bytes)
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
    let error = #expect(throws: PasswordError.self) {
      try read([UInt8](repeating: 0x61, count: count))
    }
    guard case .tooLong = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: ["", "\n", "\r\n"])
  func anEmptyOneIsRefusedWithTheWayOut(_ content: String) {
    let error = #expect(throws: PasswordError.self) { try read(Array(content.utf8)) }
    guard case .empty = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.message.hasSuffix("give --open") == true)
  }

  @Test(arguments: [[0x61, 0x00, 0x62], [0xFF], [0xC3]] as [[UInt8]])
  func whatIsNoTextIsRefused(_ content: [UInt8]) {
    let error = #expect(throws: PasswordError.self) { try read(content) }
    guard case .notText = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: ["/nonexistent/password", "/", ""])
  func aFileThatCannotBeReadIsNamed(_ path: String) {
    let error = #expect(throws: PasswordError.self) {
      try PasswordSource.file(Array(path.utf8)).read()
    }
    guard case .unreadable(let source, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(source == "‘\(path)’")
    #expect(!reason.isEmpty)
  }
}
