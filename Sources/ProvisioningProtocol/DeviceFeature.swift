/// What a device can do beside connecting, by its word in the device information.
package enum DeviceFeature: String, CaseIterable, Sendable {
  /// Control opcode 03 and the method of this name make it noticed.
  case identify
  /// Control opcode 04 removes its Wi-Fi networks.
  case forget
}
