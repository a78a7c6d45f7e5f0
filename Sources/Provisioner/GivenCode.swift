package import ProvisioningProtocol

/// A setup code, and the device that it belongs to where a label said so.
package struct GivenCode: Sendable {
  package let code: SetupCode
  package let deviceID: DeviceID?

  package init(code: SetupCode, deviceID: DeviceID?) {
    self.code = code
    self.deviceID = deviceID
  }

  /// Refuses another device than the label's: a guess of its own would be spent on it.
  ///
  /// - Throws: ``ProvisionerError/codeOfAnother(_:)``.
  func check(_ device: DeviceID) throws(ProvisionerError) {
    if let deviceID, deviceID != device { throw .codeOfAnother(deviceID) }
  }
}
