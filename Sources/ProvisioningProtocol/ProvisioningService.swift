/// The primary services of a device, by their 16-bit UUIDs.
package enum ProvisioningService: UInt16, CaseIterable, Sendable {
  /// SSID, password, control and status; the service data of the advertisement carries its UUID.
  case plain = 0xFF00
  /// What the device says of itself, and the session that its setup code opens.
  case secure = 0xFF10

  /// The characteristics of the service, in the order of their UUIDs.
  package var characteristics: [ProvisioningCharacteristic] {
    ProvisioningCharacteristic.allCases.filter { $0.service == self }
  }
}
