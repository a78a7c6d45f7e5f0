/// An IPv4 address in network order.
package struct IPv4Address: InternetAddress {
  package static let byteCount = 4

  /// Exactly four.
  package let bytes: [UInt8]

  /// Takes four bytes; any other count gives nil.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  package var isUnicast: Bool { (1...223).contains(bytes[0]) && bytes[0] != 127 }

  package var isLinkLocal: Bool { bytes[0] == 169 && bytes[1] == 254 }
}

extension IPv4Address: LosslessStringConvertible {
  /// Reads four decimal numbers from 0 to 255 with dots between them; anything else gives nil.
  package init?(_ description: String) {
    let parts = description.utf8.split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let bytes = parts.compactMap { part in
      part.allSatisfy { (0x30...0x39).contains($0) } ? UInt8(String(part) ?? "") : nil
    }
    guard parts.count == 4 else { return nil }
    self.init(bytes: bytes)
  }

  package var description: String { bytes.map(String.init).joined(separator: ".") }
}
