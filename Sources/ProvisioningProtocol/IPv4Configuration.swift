internal import CBOR

/// How a device gets its IPv4 address in a network.
package enum IPv4Configuration: Hashable, Sendable {
  /// By DHCP, and the network is of no use without.
  case automatic
  /// By DHCP where it is offered; IPv6 is enough.
  case optional
  case off
  case manual(ManualAddress<IPv4Address>)
}

extension IPv4Configuration {
  private static let words: [String: IPv4Configuration] = [
    "auto": .automatic, "optional": .optional, "off": .off,
  ]

  /// Reads a word or a map; another word is `unsupported`, under the given key.
  init(_ value: CBORValue, key: UInt64) throws(MessageError) {
    guard case .text(let word) = value else {
      self = .manual(try ManualAddress(value))
      return
    }
    guard let known = Self.words[word] else { throw .unsupported(key) }
    self = known
  }

  /// Nil for what is assumed where nothing is said.
  var value: CBORValue? {
    switch self {
    case .automatic: nil
    case .optional: .text("optional")
    case .off: .text("off")
    case .manual(let address): address.map
    }
  }
}
