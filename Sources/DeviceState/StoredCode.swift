package import Cryptography
package import ProvisioningProtocol
internal import Secrets

/// What the device keeps of its setup code: the verifier, and, unless it is not to, the code.
package struct StoredCode: Equatable, Sendable {
  /// The device whose id went into the verifier.
  package let device: DeviceID
  /// How the code was stretched to the verifier; the device tells every provisioner.
  package let stretching: CodeStretching
  /// The verifier: what a handshake needs.
  package let record: SPAKE2Plus.Record
  /// The code itself, for the label; nil where only the verifier is kept.
  package let code: SetupCode?

  /// Makes the verifier of a code, which takes as long as stretching does.
  ///
  /// - Parameter keepsCode: whether the code is kept beside the verifier.
  package init(
    _ code: SetupCode, device: DeviceID, keepsCode: Bool, stretching: CodeStretching = .random()
  ) throws(CryptographyError) {
    self.init(
      device: device, stretching: stretching,
      record: try code.credentials(for: device, stretching: stretching).record(),
      code: keepsCode ? code : nil)
  }

  init(
    device: DeviceID, stretching: CodeStretching, record: SPAKE2Plus.Record, code: SetupCode?
  ) {
    self.device = device
    self.stretching = stretching
    self.record = record
    self.code = code
  }

  /// The same without the code.
  package var withoutCode: StoredCode {
    StoredCode(device: device, stretching: stretching, record: record, code: nil)
  }
}
