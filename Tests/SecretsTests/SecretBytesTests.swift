import Secrets
import Testing

struct SecretBytesTests {
  @Test func keepsTheBytes() {
    let secret = SecretBytes(Array("passphrase".utf8))
    #expect(secret.count == 10)
    #expect(secret.elementsEqual("passphrase".utf8))
    #expect(secret.withUnsafeBytes { Array($0) } == Array("passphrase".utf8))
  }

  @Test func mayBeEmpty() {
    let secret = SecretBytes([])
    #expect(secret.isEmpty)
    #expect(secret.withUnsafeBytes { $0.count } == 0)
  }

  @Test func wipesTheSource() {
    var source = Array("passphrase".utf8)
    let secret = SecretBytes(wiping: &source)
    #expect(source == [UInt8](repeating: 0, count: 10))
    #expect(secret.elementsEqual("passphrase".utf8))
  }

  @Test func comparesByValue() {
    #expect(SecretBytes([1, 2]) == SecretBytes([1, 2]))
    #expect(SecretBytes([1, 2]) != SecretBytes([1, 3]))
    #expect(SecretBytes([1, 2]) != SecretBytes([1, 2, 3]))
  }

  @Test func doesNotShowInText() {
    let secret = SecretBytes(Array("passphrase".utf8))
    var dumped = ""
    dump(["key": secret], to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped, "\([secret])"] {
      #expect(!text.contains("112"), "the first byte as a number: \(text)")
      #expect(!text.contains("passphrase"))
    }
    #expect("\(secret)" == "<secret>")
  }
}
