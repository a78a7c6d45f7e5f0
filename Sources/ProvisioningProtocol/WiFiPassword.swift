package import Secrets

/// A Wi-Fi password: UTF-8 text of 0 to 128 bytes without NUL; empty for a network without one.
package struct WiFiPassword: Equatable, Sendable {
  /// From 0 to 128.
  package let bytes: SecretBytes

  /// Why bytes are not a password, or not one for a network.
  package enum FormatError: Error, Hashable, Sendable {
    /// More than 128 bytes.
    case tooLong(count: Int)
    /// Not UTF-8, or with a NUL in it. NetworkManager can carry neither.
    case notText
    /// The network has no password, and one was given.
    case unexpected
    /// The network has a password, and none was given.
    case missing
    /// Not 8 to 63 bytes, and not 64.
    case passphraseLength(count: Int)
    /// 64 bytes, which would be a raw key, but not all of them hexadecimal digits.
    case keyNotHexadecimal
  }

  /// Checks what holds for every network; `check(for:)` knows the rest.
  package init(_ bytes: SecretBytes) throws(FormatError) {
    guard bytes.count <= 128 else { throw .tooLong(count: bytes.count) }
    guard !bytes.contains(0), Self.isUTF8(bytes) else { throw .notText }
    self.bytes = bytes
  }

  /// The password of a network without one.
  package static var none: WiFiPassword { WiFiPassword(unchecked: SecretBytes([])) }

  private init(unchecked bytes: SecretBytes) { self.bytes = bytes }

  package var isEmpty: Bool { bytes.isEmpty }

  /// Checks that a network of this security can have this password.
  ///
  /// Nothing is checked for `wpaEAP`, where the authentication server alone knows the rules.
  package func check(for security: NetworkSecurity) throws(FormatError) {
    switch security {
    case .open, .owe:
      guard isEmpty else { throw .unexpected }
    case .sae:
      guard !isEmpty else { throw .missing }
    case .wpaPSK:
      switch bytes.count {
      case 0: throw .missing
      case 8...63: break
      case 64:
        let digits = bytes.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        guard digits else { throw .keyNotHexadecimal }
      case let count: throw .passphraseLength(count: count)
      }
    case .wpaEAP: break
    }
  }

  /// Checks without making a string of it, which nobody would wipe.
  private static func isUTF8(_ bytes: SecretBytes) -> Bool {
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }
}

extension WiFiPassword: CustomStringConvertible {
  package var description: String { bytes.description }
}
