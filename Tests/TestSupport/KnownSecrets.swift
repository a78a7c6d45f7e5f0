import Cryptography
package import DeviceState
import Foundation
import ProvisioningProtocol
import Synchronization

/// What was told to programs in confidence, and must not be in anything that they print.
///
/// One may be shared by all the programs that learn of it; what is added late is looked for in all
/// that they have printed before, too.
package final class KnownSecrets: Sendable {
  /// What to look for, by what it is.
  private let forms = Mutex<[(name: String, text: String)]>([])

  package init() {}

  /// Adds a secret of at least six bytes, which no text has by chance: as it is, and as programs
  /// print bytes.
  package func add(_ secret: [UInt8], as name: String) {
    guard secret.count >= 6 else { return }
    let hex = secret.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }
    var texts: [(String, String)] = []
    if let text = String(validating: secret, as: UTF8.self) { texts.append((name, text)) }
    for text in [hex.joined(), hex.joined().uppercased(), hex.joined(separator: " ")] {
      texts.append(("\(name) in hexadecimal digits", text))
    }
    for text in Self.base64(secret) { texts.append(("\(name) in base 64", text)) }
    texts.append(("\(name) as a list", secret.map(String.init).joined(separator: ", ")))
    forms.withLock { $0 += texts }
  }

  /// Adds a setup code, with hyphens or without.
  package func add(code: String) {
    add(Array(code.utf8), as: "the setup code")
    add(Array(code.utf8.filter { $0 != UInt8(ascii: "-") }), as: "the setup code")
  }

  /// Adds what a device keeps of its setup code.
  package func add(_ stored: StoredCode) {
    if let code = stored.code { add(code: code.label) }
    let record = Array(stored.verifier.record.encoded)
    add(Array(record.prefix(32)), as: "w0")
    add(Array(record.dropFirst(32)), as: "L")
  }

  /// The names of those that are in a text.
  package func found(in text: String) -> [String] {
    forms.withLock { forms in forms.filter { text.contains($0.text) }.map(\.name) }
  }

  /// The digits that are the secret's alone, wherever it stands in what is written so.
  private static func base64(_ secret: [UInt8]) -> [String] {
    (0..<3).map { before in
      let digits = Data([UInt8](repeating: 0, count: before) + secret).base64EncodedString()
        .prefix { $0 != "=" }
      // A digit is six bits; the last one may hold bits of what follows.
      return String(digits.dropFirst((before * 8 + 5) / 6).dropLast())
    }
  }
}
