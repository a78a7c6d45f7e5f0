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

  /// The map for the request's parameters.
  var value: CBORValue {
    CBORValue(fields: [
      Key.ssid: CBORValue(bytes: ssid.bytes),
      Key.security: security.map { .text($0.rawValue) },
      Key.password: password.isEmpty ? nil : .bytes(password.bytes),
    ])
  }

  /// Reads the map.
  ///
  /// What this version cannot do is `unsupported`, and not ignored: the network would be joined in
  /// another way than was asked for.
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
    if let bytes = try fields.bytes(Key.password) {
      guard let password = try? WiFiPassword(bytes) else {
        throw .invalid(Key.password)
      }
      self.password = password
    }
    switch fields[Key.hidden] {
    case nil, .bool(false): break
    case .bool(true): throw .unsupported(Key.hidden)
    case .some: throw .invalid(Key.hidden)
    }
    for key in [Key.ipv4, Key.ipv6] {
      guard fields[key] == nil || fields[key] == .text("auto") else { throw .unsupported(key) }
    }
    for key in [Key.enterprise, Key.priority] {
      guard fields[key] == nil else { throw .unsupported(key) }
    }
  }
}
