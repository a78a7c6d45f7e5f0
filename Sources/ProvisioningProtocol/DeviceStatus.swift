package import CBOR

/// Where a device is with its Wi-Fi, as the secure profile tells it: the status value, and what is
/// not for everybody's ears.
package struct DeviceStatus: Hashable, Sendable {
  package var value: ProvisioningStatus
  /// The network that is being joined, or the one in use where it is known.
  package var ssid: SSID?
  /// What the last attempt's failure was concluded from, for an expert; text from outside where it
  /// came over the air.
  package var evidence: String?

  package init(_ value: ProvisioningStatus, ssid: SSID? = nil, evidence: String? = nil) {
    self.value = value
    self.ssid = ssid
    self.evidence = evidence
  }

  /// Reads the map of a result or an event.
  package init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    guard let status = try? ProvisioningStatus(decoding: Array(try fields.requiredBytes(0))) else {
      throw .invalid(0)
    }
    self.init(status, ssid: try fields.ssid(1), evidence: try fields.text(2))
  }
}

extension DeviceStatus {
  /// The map for a result or an event.
  package var map: CBORValue {
    CBORValue(fields: [
      0: CBORValue(bytes: value.encoded), 1: ssid.map { CBORValue(bytes: $0.bytes) },
      2: evidence.map { .text($0) },
    ])
  }
}
