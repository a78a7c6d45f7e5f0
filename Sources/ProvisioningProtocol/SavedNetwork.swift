package import CBOR

/// A network that a device keeps: its profiles of one name and security.
package struct SavedNetwork: Hashable, Sendable {
  package var ssid: SSID
  /// Nil for a kind without a word in this version, such as WEP.
  package var security: NetworkSecurity?
  /// Whether the device is in it now.
  package var isInUse: Bool
  /// Whether the device joins it by itself.
  package var connectsAutomatically: Bool

  package init(
    ssid: SSID, security: NetworkSecurity?, isInUse: Bool, connectsAutomatically: Bool
  ) {
    self.ssid = ssid
    self.security = security
    self.isInUse = isInUse
    self.connectsAutomatically = connectsAutomatically
  }
}

extension SavedNetwork: ListItem {
  package init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    self.init(
      ssid: try fields.requiredSSID(0),
      security: try fields.text(1).flatMap(NetworkSecurity.init(rawValue:)),
      isInUse: try fields.requiredBool(2), connectsAutomatically: try fields.requiredBool(3))
  }

  package var map: CBORValue {
    CBORValue(fields: [
      0: CBORValue(bytes: ssid.bytes), 1: security.map { .text($0.rawValue) }, 2: .bool(isInUse),
      3: .bool(connectsAutomatically),
    ])
  }
}
