/// The Bluetooth address under which the radio knows a device: `AA:BB:CC:DD:EE:FF`.
package struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
  /// Six pairs of upper-case hexadecimal digits with colons between them.
  package let description: String

  /// Accepts either case; nil for anything but six colon-separated pairs of hexadecimal digits.
  package init?(_ text: some StringProtocol) {
    let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
    guard pairs.count == 6,
      pairs.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isASCIIHexDigit) })
    else { return nil }
    description = text.uppercased()
  }
}

extension Character {
  /// `isHexDigit` alone accepts full-width digits too.
  var isASCIIHexDigit: Bool { isASCII && isHexDigit }
}
