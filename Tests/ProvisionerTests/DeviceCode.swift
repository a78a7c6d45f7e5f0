import Cryptography
import Provisioner
import ProvisioningProtocol
import Testing

/// A device's setup code, and a wrong one.
struct DeviceCode {
  let right: SetupCode
  let wrong: SetupCode
  let stretching: CodeStretching

  init() throws {
    right = try SetupCode("271-828-189".utf8)
    wrong = try SetupCode("003-141-591".utf8)
    stretching = try CodeStretching(salt: [UInt8](0..<16))
  }

  func setup(for information: DeviceInformation) throws -> SecureSetup {
    let credentials = try right.credentials(
      for: information.deviceID, stretching: stretching)
    return try SecureSetup(
      deviceID: information.deviceID, information: information.encoded(),
      record: credentials.record())
  }

  var access: Access { .code { _ in right } }
}
