import Foundation
import MachineIdentity
import Testing

@Suite struct MachineIdentityTests {
  private let application = Array<UInt8>(0..<16)

  private func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result
  {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }

  // Computed with Python's hmac module.
  @Test(arguments: ["0123456789abcdef0123456789abcdef\n", "0123456789ABCDEF0123456789abcdef"])
  func theIDIsTheKeyedHash(text: String) throws {
    let id = try withFile(text) {
      try MachineIdentity.applicationSpecificID(application: application, paths: ["/none", $0])
    }
    #expect(id.count == 32)
    #expect(id.prefix(6) == [0x69, 0x55, 0x55, 0x12, 0x96, 0xe8])
    #expect(id.suffix(4) == [0x15, 0x23, 0x7f, 0xcb])
  }

  @Test(arguments: [
    "uninitialized\n", "", "0123456789abcdef0123456789abcde\n",
    "0123456789abcdef0123456789abcdefg", "0123456789abcdef0123456789abcdef0\n",
  ])
  func somethingElseInTheFileIsAnError(text: String) throws {
    _ = try withFile(text) { path in
      #expect(throws: MachineIdentity.Failure.malformed(path: path)) {
        try MachineIdentity.applicationSpecificID(application: application, paths: [path])
      }
    }
  }

  @Test func noFileIsAnError() {
    #expect(throws: MachineIdentity.Failure.missing) {
      try MachineIdentity.applicationSpecificID(application: application, paths: ["/none"])
    }
  }
}
