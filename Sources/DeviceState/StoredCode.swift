package import Cryptography
package import ProvisioningProtocol
internal import Secrets

/// What the device keeps of its setup code: the verifier, and, unless it is not to, the code.
package struct StoredCode: Equatable, Sendable {
  /// The device whose id went into the verifier.
  package let device: DeviceID
  /// What a handshake needs.
  package let verifier: CodeVerifier
  /// The code itself, for the label; nil where only the verifier is kept.
  package let code: SetupCode?

  /// Makes the verifier of a code, which takes as long as stretching does.
  ///
  /// - Parameter keepsCode: whether the code is kept beside the verifier.
  package init(
    _ code: SetupCode, device: DeviceID, keepsCode: Bool
  ) throws(CryptographyError) {
    let stretching = try CodeStretching(usualFor: device)
    let record = try code.credentials(for: device, stretching: stretching).record()
    self.init(
      device: device, verifier: CodeVerifier(record: record, stretching: stretching),
      code: keepsCode ? code : nil)
  }

  init(device: DeviceID, verifier: CodeVerifier, code: SetupCode?) {
    self.device = device
    self.verifier = verifier
    self.code = code
  }

  /// The same without the code.
  package var withoutCode: StoredCode {
    StoredCode(device: device, verifier: verifier, code: nil)
  }
}
