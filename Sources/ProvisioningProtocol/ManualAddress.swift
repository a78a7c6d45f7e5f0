internal import CBOR

/// An address that a person chose, and what belongs to it.
package struct ManualAddress<Address: InternetAddress>: Hashable, Sendable {
  /// How many name servers there may be.
  package static var maximumServers: Int { 4 }

  package var address: Address
  /// How many bits of the address are the network's.
  package var prefixLength: UInt8
  package var gateway: Address?
  /// The name servers, in the order in which they are asked.
  package var dns: [Address]

  package init(
    address: Address, prefixLength: UInt8, gateway: Address? = nil, dns: [Address] = []
  ) {
    self.address = address
    self.prefixLength = prefixLength
    self.gateway = gateway
    self.dns = dns
  }
}

extension ManualAddress {
  init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    guard let address: Address = try fields.address(0) else { throw .missing(0) }
    self.init(
      address: address, prefixLength: try fields.requiredNumber(1),
      gateway: try fields.address(2), dns: try fields.addresses(3))
  }

  var map: CBORValue {
    CBORValue(fields: [
      0: CBORValue(bytes: address.bytes), 1: .unsigned(UInt64(prefixLength)),
      2: gateway.map { CBORValue(bytes: $0.bytes) },
      3: dns.isEmpty ? nil : .array(dns.map { CBORValue(bytes: $0.bytes) }),
    ])
  }

  /// Checks that a machine can be reached under it.
  func check() throws(NetworkDescriptionError) {
    let bits = 8 * Address.byteCount
    guard (1...bits).contains(Int(prefixLength)) else {
      throw .prefixLength(Int(prefixLength), limit: bits)
    }
    guard address.isUnicast, !isFirstOrLast(address) else { throw .address("\(address)") }
    if let gateway {
      guard gateway.isUnicast, gateway != address else { throw .gateway("\(gateway)") }
      let isInside =
        gateway.network(prefixLength: Int(prefixLength))
        == address.network(prefixLength: Int(prefixLength)) && !isFirstOrLast(gateway)
      guard isInside || (gateway.isLinkLocal && Address.byteCount == IPv6Address.byteCount) else {
        throw .gateway("\(gateway)")
      }
    }
    guard dns.count <= Self.maximumServers else { throw .tooManyServers(dns.count) }
    if let server = dns.first(where: { !$0.isUnicast }) { throw .server("\(server)") }
  }

  /// Whether an IPv4 address means the whole network.
  private func isFirstOrLast(_ address: Address) -> Bool {
    guard Address.byteCount == IPv4Address.byteCount, prefixLength <= 30 else { return false }
    let network = address.network(prefixLength: Int(prefixLength))
    let mask =
      Address(bytes: [UInt8](repeating: 0xFF, count: Address.byteCount))
      .map { $0.network(prefixLength: Int(prefixLength)) } ?? []
    let last = zip(network, mask).map { $0 | ~$1 }
    return address.bytes == network || address.bytes == last
  }
}
