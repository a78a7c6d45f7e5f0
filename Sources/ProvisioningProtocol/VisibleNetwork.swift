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
  /// Where they are, the lowest first.
  package var bands: [WiFiBand]
  /// Whether the device keeps a network of this name and security.
  package var isKnown: Bool

  package init(
    ssid: SSID, security: NetworkSecurity?, rssi: Int8, accessPointCount: UInt32,
    bands: [WiFiBand] = [], isKnown: Bool = false
  ) {
    self.ssid = ssid
    self.security = security
    self.rssi = rssi
    self.accessPointCount = accessPointCount
    self.bands = bands
    self.isKnown = isKnown
  }
}

extension VisibleNetwork: ListItem {
  package init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    self.init(
      ssid: try fields.requiredSSID(0),
      security: try fields.text(1).flatMap(NetworkSecurity.init(rawValue:)),
      rssi: try fields.requiredNumber(2), accessPointCount: try fields.requiredNumber(3),
      isKnown: try fields.bool(5) ?? false)
    for item in try fields.items(4) ?? [] {
      guard case .unsigned(let number) = item else { throw .invalid(4) }
      // Another band is one of a later minor version.
      if let band = UInt8(exactly: number).flatMap(WiFiBand.init) { bands.append(band) }
    }
  }

  package var map: CBORValue {
    CBORValue(fields: [
      0: CBORValue(bytes: ssid.bytes), 1: security.map { .text($0.rawValue) },
      2: CBORValue(Int64(rssi)),
      3: .unsigned(UInt64(accessPointCount)),
      4: bands.isEmpty ? nil : .array(bands.map { .unsigned(UInt64($0.rawValue)) }),
      5: isKnown ? .bool(true) : nil,
    ])
  }
}
