package import CBOR

/// Where a device is with its Wi-Fi, as the secure profile tells it: the status value, and what is
/// not for everybody's ears.
package struct DeviceStatus: Hashable, Sendable {
  package var value: ProvisioningStatus
  /// The network that is being joined, or the one in use where it is known.
  package var ssid: SSID?
  /// What the last attempt's failure was concluded from.
  package var evidence: AttemptEvidence?
  /// What else is known of the connection in use.
  package var link: LinkDetails
  /// The network of the last attempt, if there was one.
  package var triedSSID: SSID?
  /// What to know of the last attempt's settings; words of later minor versions are left out.
  package var risks: [Risk]

  package init(
    _ value: ProvisioningStatus, ssid: SSID? = nil, evidence: AttemptEvidence? = nil,
    link: LinkDetails = LinkDetails(), triedSSID: SSID? = nil, risks: [Risk] = []
  ) {
    self.value = value
    self.ssid = ssid
    self.evidence = evidence
    self.link = link
    self.triedSSID = triedSSID
    self.risks = risks
  }

  /// Reads the map of a result or an event.
  package init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    guard let status = try? ProvisioningStatus(decoding: Array(try fields.requiredBytes(0))) else {
      throw .invalid(0)
    }
    self.init(status, ssid: try fields.ssid(1), triedSSID: try fields.ssid(4))
    if let value = fields[2] { evidence = try AttemptEvidence(value) }
    if let value = fields[3] { link = try LinkDetails(value) }
    risks = try fields.texts(5).compactMap(Risk.init)
  }
}

extension DeviceStatus {
  /// The map for a result or an event.
  package var map: CBORValue {
    CBORValue(fields: [
      0: CBORValue(bytes: value.encoded), 1: ssid.map { CBORValue(bytes: $0.bytes) },
      2: evidence?.map, 3: link.map, 4: triedSSID.map { CBORValue(bytes: $0.bytes) },
      5: risks.isEmpty ? nil : .array(risks.map { .text($0.rawValue) }),
    ])
  }
}
