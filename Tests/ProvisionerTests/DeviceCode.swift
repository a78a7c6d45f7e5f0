import Cryptography
import Provisioner
import ProvisioningProtocol
import Testing

/// A device's setup code, and a wrong one.
struct DeviceCode {
  let right: SetupCode
  let wrong: SetupCode
  let stretching: CodeStretching

  /// Without a salt the code is stretched as is usual.
  init(salt: [UInt8]? = nil) throws {
    right = try SetupCode("271-828-189".utf8)
    wrong = try SetupCode("003-141-591".utf8)
    if let salt {
      stretching = try CodeStretching(salt: salt)
    } else {
      let id = try #require(DeviceID("000000000001"))
      stretching = try CodeStretching(usualFor: id)
    }
  }

  func setup(for information: DeviceInformation) throws -> SecureSetup {
    let credentials = try right.credentials(
      for: information.deviceID, stretching: stretching)
    return try SecureSetup(
      deviceID: information.deviceID, information: information.encoded(),
      record: credentials.record())
  }

  var given: GivenCode { GivenCode(code: right, deviceID: nil) }
  var access: Access { .code(given) }
}
