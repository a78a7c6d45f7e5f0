import Foundation

/// What was told to a program in confidence, and must not be in anything that it prints.
package struct KnownSecrets: Sendable {
  /// What to look for, by what it is.
  private var forms: [(name: String, text: String)] = []

  package init() {}

  /// Adds a secret of at least six bytes, which no text has by chance: as it is, and as programs
  /// print bytes.
  package mutating func add(_ secret: [UInt8], as name: String) {
    guard secret.count >= 6 else { return }
    let hex = secret.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }
    let base64 = Data(secret).base64EncodedString().prefix { $0 != "=" }.dropLast()
    if let text = String(validating: secret, as: UTF8.self) { forms.append((name, text)) }
    for text in [hex.joined(), hex.joined().uppercased(), hex.joined(separator: " ")] {
      forms.append(("\(name) in hexadecimal digits", text))
    }
    forms.append(("\(name) in base 64", String(base64)))
    forms.append(("\(name) as a list", secret.map(String.init).joined(separator: ", ")))
  }

  /// Adds a setup code, with hyphens or without.
  package mutating func add(code: String) {
    add(Array(code.utf8), as: "the setup code")
    add(Array(code.utf8.filter { $0 != UInt8(ascii: "-") }), as: "the setup code")
  }

  /// The names of those that are in a text.
  package func found(in text: String) -> [String] {
    forms.filter { text.contains($0.text) }.map(\.name)
  }
}
