internal import CBOR

/// How a device gets its IPv6 addresses in a network.
package enum IPv6Configuration: Hashable, Sendable {
  /// As the network's routers say, where it has some; IPv4 is enough.
  case automatic
  case off
  case manual(ManualAddress<IPv6Address>)
}

extension IPv6Configuration {
  /// Reads a word or a map; another word is `unsupported`, under the given key.
  init(_ value: CBORValue, key: UInt64) throws(MessageError) {
    switch value {
    case .text("auto"): self = .automatic
    case .text("off"): self = .off
    case .text: throw .unsupported(key)
    default: self = .manual(try ManualAddress(value))
    }
  }

  /// Nil for what is assumed where nothing is said.
  var value: CBORValue? {
    switch self {
    case .automatic: nil
    case .off: .text("off")
    case .manual(let address): address.map
    }
  }
}
