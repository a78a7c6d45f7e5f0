internal import CBOR

/// What is known of a connection beyond the status value.
package struct LinkDetails: Hashable, Sendable {
  /// The access point's channel, in MHz.
  package var frequency: UInt32?
  /// The IPv6 addresses, link-local ones left out.
  package var ipv6: [IPv6Address]
  package var gateways: [IPAddress]
  /// The name servers.
  package var dns: [IPAddress]

  package init(
    frequency: UInt32? = nil, ipv6: [IPv6Address] = [], gateways: [IPAddress] = [],
    dns: [IPAddress] = []
  ) {
    self.frequency = frequency
    self.ipv6 = ipv6
    self.gateways = gateways
    self.dns = dns
  }
}

extension LinkDetails {
  /// How many addresses of a kind are told.
  private static let limit = 4

  init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    self.init(
      frequency: try fields.number(0), ipv6: try fields.addresses(1),
      gateways: try fields.mixedAddresses(2), dns: try fields.mixedAddresses(3))
  }

  /// The map for a status, with the first addresses of each kind; nil where nothing is known.
  var map: CBORValue? {
    guard self != LinkDetails() else { return nil }
    return CBORValue(fields: [
      0: frequency.map { .unsigned(UInt64($0)) }, 1: Self.list(ipv6.map(\.bytes)),
      2: Self.list(gateways.map(\.bytes)), 3: Self.list(dns.map(\.bytes)),
    ])
  }

  private static func list(_ addresses: [[UInt8]]) -> CBORValue? {
    addresses.isEmpty ? nil : .array(addresses.prefix(limit).map { CBORValue(bytes: $0) })
  }
}
