/// Where the addresses of one family come from.
package enum IPSettings: Sendable, Hashable {
  /// From the network; without one the network is not joined.
  case automatic
  /// From the network, where it has some.
  case optional
  /// None of this family.
  case off
  case manual(Fixed)

  /// Addresses that the network does not choose, as text.
  package struct Fixed: Sendable, Hashable {
    package var address: String
    /// 1 to 32 for IPv4, 1 to 128 for IPv6.
    package var prefixLength: UInt8
    package var gateway: String?
    package var nameservers: [String]

    package init(
      address: String, prefixLength: UInt8, gateway: String? = nil, nameservers: [String] = []
    ) {
      self.address = address
      self.prefixLength = prefixLength
      self.gateway = gateway
      self.nameservers = nameservers
    }
  }

  var isFixed: Bool {
    if case .manual = self { true } else { false }
  }

  /// Whether a network without such an address counts as not joined.
  var isRequired: Bool {
    switch self {
    case .automatic, .manual: true
    case .optional, .off: false
    }
  }
}
