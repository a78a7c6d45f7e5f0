internal import Provisioner
internal import ProvisioningProtocol

/// A setup code, and the device that it belongs to where a label said so.
struct GivenCode: Sendable {
  let code: SetupCode
  let deviceID: DeviceID?

  private init(code: SetupCode, deviceID: DeviceID?) {
    self.code = code
    self.deviceID = deviceID
  }

  init(_ label: SetupURI) { self.init(code: label.code, deviceID: label.deviceID) }

  /// Reads what a person or a file gives: the digits, or the URI of the label.
  init(_ text: some Collection<UInt8>) throws(SecretError) {
    do throws(SetupURI.FormatError) {
      self.init(try SetupURI(text))
      return
    } catch {
      guard error == .foreign else { throw SecretError(.setupCode, .label(error)) }
    }
    do throws(SetupCode.FormatError) {
      self.init(code: try SetupCode(text), deviceID: nil)
    } catch {
      throw SecretError(.setupCode, .code(error))
    }
  }

  /// Gives the code, but to no other device than the label's: its guess would be spent.
  var source: CodeSource {
    { information in
      if let deviceID, deviceID != information.deviceID {
        throw ProvisionerError.codeOfAnother(deviceID)
      }
      return code
    }
  }
}
