internal import DBus
internal import Glibc

/// Addresses of the simulated device, of one family.
struct IPConfiguration: Equatable {
  struct Address: Equatable {
    let text: String
    let prefix: UInt32
  }

  var addresses: [Address]
  var gateway: String
  var nameServers: [String]

  /// What the room's DHCP server gives.
  static let ipv4 = IPConfiguration(
    addresses: [Address(text: "192.0.2.23", prefix: 24)], gateway: "192.0.2.1",
    nameServers: ["192.0.2.1"])

  /// What comes over the cable.
  static let wired = IPConfiguration(
    addresses: [Address(text: "198.51.100.23", prefix: 24)], gateway: "198.51.100.1",
    nameServers: ["198.51.100.1"])

  /// What its router announces, and the address of the link.
  static let ipv6 = IPConfiguration(
    addresses: [
      Address(text: "2001:db8::23", prefix: 64), Address(text: "fe80::23", prefix: 64),
    ], gateway: "fe80::1", nameServers: ["2001:db8::1"])

  init(addresses: [Address], gateway: String, nameServers: [String]) {
    self.addresses = addresses
    self.gateway = gateway
    self.nameServers = nameServers
  }

  /// What a profile's setting gives by hand.
  init(_ setting: [String: Value]) {
    let data = setting["address-data"]?.asArray ?? []
    addresses = data.compactMap { entry in
      guard let entry = entry.asDictionary, let text = entry["address"]?.asString else {
        return nil
      }
      return Address(text: text, prefix: UInt32(clamping: entry["prefix"]?.asInteger ?? 0))
    }
    gateway = setting["gateway"]?.asString ?? ""
    nameServers = setting["dns-data"]?.asStrings ?? Self.nameServers(setting["dns"])
  }

  /// The older spelling: numbers in network byte order, or the bytes of IPv6.
  private static func nameServers(_ value: Value?) -> [String] {
    (value?.asArray ?? []).compactMap { server in
      if let bytes = server.asBytes {
        return bytes.count == 16 ? text(bytes, AF_INET6) : nil
      }
      guard let number = server.asInteger.flatMap({ UInt32(exactly: $0) }) else { return nil }
      return withUnsafeBytes(of: number) { text(Array($0), AF_INET) }
    }
  }

  private static func text(_ bytes: [UInt8], _ family: Int32) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The bytes of an IPv6 address.
  private static func bytes(_ text: String) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : []
  }

  private static func dictionaries(_ entries: [[String: Value]]) -> Value {
    .array(
      element: .dictionary(key: .string, value: .variant), entries.map { .properties($0) })
  }

  private var common: [Property] {
    [
      Property(
        "AddressData",
        Self.dictionaries(
          addresses.map { ["address": .string($0.text), "prefix": .uint32($0.prefix)] })),
      Property("Gateway", .string(gateway)),
      Property("RouteData", Self.dictionaries([])),
      Property("Domains", .strings([])),
      Property("Searches", .strings([])),
      Property("DnsOptions", .strings([])),
      Property("DnsPriority", .int32(100)),
    ]
  }

  var ipv4Interface: Interface {
    Interface(
      NetworkManagerName.Interface.ip4Config,
      properties: common + [
        Property("NameserverData", Self.dictionaries(nameServers.map { ["address": .string($0)] }))
      ])
  }

  var ipv6Interface: Interface {
    Interface(
      NetworkManagerName.Interface.ip6Config,
      properties: common + [
        Property(
          "Nameservers",
          .array(element: .array(.byte), nameServers.map { .bytes(Self.bytes($0)) }))
      ])
  }
}
