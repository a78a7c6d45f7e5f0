internal import CBOR

/// An address of either family of the internet protocol.
package enum IPAddress: Hashable, Sendable {
  case v4(IPv4Address)
  case v6(IPv6Address)

  /// Takes 4 or 16 bytes; any other count gives nil.
  package init?(bytes: some Collection<UInt8>) {
    if let address = IPv4Address(bytes: bytes) {
      self = .v4(address)
    } else if let address = IPv6Address(bytes: bytes) {
      self = .v6(address)
    } else {
      return nil
    }
  }

  /// In network order.
  package var bytes: [UInt8] {
    switch self {
    case .v4(let address): address.bytes
    case .v6(let address): address.bytes
    }
  }
}

extension IPAddress: LosslessStringConvertible {
  package init?(_ description: String) {
    if let address = IPv4Address(description) {
      self = .v4(address)
    } else if let address = IPv6Address(description) {
      self = .v6(address)
    } else {
      return nil
    }
  }

  package var description: String {
    switch self {
    case .v4(let address): address.description
    case .v6(let address): address.description
    }
  }
}
