package import CBOR

/// A network that a device sees: its access points of one name and security.
package struct VisibleNetwork: Hashable, Sendable {
  package var ssid: SSID
  /// Nil for a kind without a word in this version, such as WEP: it cannot be joined.
  package var security: NetworkSecurity?
  /// The strongest access point's signal at the device, in dBm.
  package var rssi: Int8
  /// How many access points there are.
  package var accessPointCount: UInt32

  package init(ssid: SSID, security: NetworkSecurity?, rssi: Int8, accessPointCount: UInt32) {
    self.ssid = ssid
    self.security = security
    self.rssi = rssi
    self.accessPointCount = accessPointCount
  }
}

extension VisibleNetwork: ListItem {
  package init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    self.init(
      ssid: try fields.requiredSSID(0),
      security: try fields.text(1).flatMap(NetworkSecurity.init(rawValue:)),
      rssi: try fields.requiredNumber(2), accessPointCount: try fields.requiredNumber(3))
  }

  package var map: CBORValue {
    CBORValue(fields: [
      0: CBORValue(bytes: ssid.bytes), 1: security.map { .text($0.rawValue) },
      2: CBORValue(Int64(rssi)),
      3: .unsigned(UInt64(accessPointCount)),
    ])
  }
}
