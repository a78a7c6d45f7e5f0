internal import CBOR

extension NetworkDescription {
  private enum Key {
    static let ssid: UInt64 = 0
    static let security: UInt64 = 1
    static let password: UInt64 = 2
    static let hidden: UInt64 = 3
    static let enterprise: UInt64 = 4
    static let ipv4: UInt64 = 5
    static let ipv6: UInt64 = 6
    static let priority: UInt64 = 7
  }

  /// How many bytes a description has at most, so that its request fits a message.
  static let maximumLength = SealedRecords.contentLimit - 32

  /// How many it has.
  var encodedLength: Int { value.encodedSecret.count }

  /// The map for the request's parameters.
  var value: CBORValue {
    CBORValue(fields: [
      Key.ssid: CBORValue(bytes: ssid.bytes),
      Key.security: security.map { .text($0.rawValue) },
      Key.password: password.isEmpty ? nil : .bytes(password.bytes),
      Key.hidden: isHidden ? .bool(true) : nil,
      Key.enterprise: enterprise?.map,
      Key.ipv4: ipv4.value,
      Key.ipv6: ipv6.value,
      Key.priority: priority.map { CBORValue(Int64($0)) },
    ])
  }

  /// Reads the map.
  ///
  /// What this version cannot do is `unsupported`, and not ignored: the network would be joined in
  /// another way than was asked for. Whether its parts belong together, `check()` tells.
  init(_ fields: MessageFields) throws(MessageError) {
    self.init(ssid: try fields.requiredSSID(Key.ssid))
    switch try fields.text(Key.security) {
    case nil, "auto": break
    case let word?:
      guard let security = NetworkSecurity(rawValue: word) else {
        throw .unsupported(Key.security)
      }
      self.security = security
    }
    password = try fields.password(Key.password) ?? .none
    isHidden = try fields.bool(Key.hidden) ?? false
    if let value = fields[Key.enterprise] { enterprise = try EnterpriseCredentials(value) }
    if let value = fields[Key.ipv4] { ipv4 = try IPv4Configuration(value, key: Key.ipv4) }
    if let value = fields[Key.ipv6] { ipv6 = try IPv6Configuration(value, key: Key.ipv6) }
    priority = try fields.number(Key.priority)
  }
}
