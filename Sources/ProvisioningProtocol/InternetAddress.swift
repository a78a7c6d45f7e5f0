/// An address of one of the two families of the internet protocol.
package protocol InternetAddress: Hashable, Sendable, LosslessStringConvertible {
  /// How many bytes an address has.
  static var byteCount: Int { get }

  /// Takes as many bytes as an address has; any other count gives nil.
  init?(bytes: some Collection<UInt8>)

  /// In network order.
  var bytes: [UInt8] { get }

  /// Whether one machine can have it in a network: not for all, for many, for oneself or for none.
  var isUnicast: Bool { get }

  /// Whether it is valid on one link alone, and needs no subnet in common.
  var isLinkLocal: Bool { get }
}

extension InternetAddress {
  /// The bits before the host's part, by the length of the prefix; the rest is zero.
  package func network(prefixLength: Int) -> [UInt8] {
    bytes.indices.map { index in
      let bits = min(max(prefixLength - 8 * index, 0), 8)
      return bytes[index] & UInt8(truncatingIfNeeded: 0xFF00 >> bits)
    }
  }
}
