import ProvisioningProtocol
import Secrets
import Testing

struct SSIDTests {
  @Test func takesOneToThirtyTwoBytes() throws {
    #expect(try SSID([0]).bytes == [0])
    #expect(try SSID([UInt8](repeating: 0xFF, count: 32)).bytes.count == 32)
    #expect(throws: SSID.FormatError.empty) { try SSID([]) }
    #expect(throws: SSID.FormatError.tooLong(count: 33)) {
      try SSID([UInt8](repeating: 0x61, count: 33))
    }
  }

  @Test(arguments: [
    ("Café \"5\" 😀", "Café \"5\" 😀"), ("a\u{0}b", "a\\x00b"), ("a\\b", "a\\\\b"),
    ("\u{1B}[2J", "\\x1b[2J"), ("a\u{202E}b", "a\\xe2\\x80\\xaeb"), ("\u{A0}", "\\xc2\\xa0"),
    ("\u{200B}", "\\xe2\\x80\\x8b"), ("\u{85}", "\\xc2\\x85"),
  ])
  func showsWhatATerminalCanShow(_ name: String, _ shown: String) throws {
    #expect(try SSID(Array(name.utf8)).description == shown)
  }

  @Test func showsBytesThatAreNotText() throws {
    #expect(try SSID([0x61, 0xFF, 0xE2, 0x82, 0x62, 0xC3]).description == "a\\xff\\xe2\\x82b\\xc3")
    #expect(try SSID([0xED, 0xA0, 0x80]).description == "\\xed\\xa0\\x80")
    #expect(try SSID([0x48, 0x6F]).hex == "486f")
  }
}

struct WiFiPasswordTests {
  private func password(_ text: String) throws -> WiFiPassword {
    try WiFiPassword(SecretBytes(text.utf8))
  }

  private func error(_ text: String, _ security: NetworkSecurity) -> WiFiPassword.FormatError? {
    do throws(WiFiPassword.FormatError) {
      try WiFiPassword(SecretBytes(text.utf8)).check(for: security)
      return nil
    } catch {
      return error
    }
  }

  @Test func isTextOfAtMost128Bytes() throws {
    #expect(try password(String(repeating: "a", count: 128)).bytes.count == 128)
    #expect(throws: WiFiPassword.FormatError.tooLong(count: 129)) {
      try password(String(repeating: "a", count: 129))
    }
    #expect(throws: WiFiPassword.FormatError.notText) { try password("12345678\u{0}") }
    #expect(throws: WiFiPassword.FormatError.notText) {
      try WiFiPassword(SecretBytes([0x61, 0xFF, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61]))
    }
    #expect(throws: WiFiPassword.FormatError.notText) {
      try WiFiPassword(SecretBytes([0xE2, 0x82]))
    }
  }

  @Test func countsBytesForAPassphrase() {
    #expect(error("1234567", .wpaPSK) == .passphraseLength(count: 7))
    #expect(error("12345678", .wpaPSK) == nil)
    #expect(error("“123456”", .wpaPSK) == nil, "typographic quotes are bytes too")
    #expect(error(String(repeating: "a", count: 63), .wpaPSK) == nil)
    #expect(error(String(repeating: "a", count: 65), .wpaPSK) == .passphraseLength(count: 65))
    #expect(error("", .wpaPSK) == .missing)
  }

  @Test func takes64BytesAsAKey() {
    #expect(error(String(repeating: "aF09", count: 16), .wpaPSK) == nil)
    #expect(error(String(repeating: "aG09", count: 16), .wpaPSK) == .keyNotHexadecimal)
    #expect(error(String(repeating: "aG09", count: 16), .sae) == nil)
  }

  @Test func maySuitSAEOfAnyLength() {
    #expect(error("1", .sae) == nil)
    #expect(error(String(repeating: "a", count: 128), .sae) == nil)
    #expect(error("", .sae) == .missing)
  }

  @Test func isForSecuredNetworksOnly() {
    for security in [NetworkSecurity.open, .owe] {
      #expect(error("", security) == nil)
      #expect(error("12345678", security) == .unexpected)
    }
    #expect(WiFiPassword.none.isEmpty)
  }

  @Test func doesNotShowInText() throws {
    let text =
      "\(try password("correct horse")) \(String(reflecting: try password("correct horse")))"
    #expect(!text.contains("correct"))
  }
}
