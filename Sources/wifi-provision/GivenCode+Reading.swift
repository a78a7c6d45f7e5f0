internal import Provisioner
internal import ProvisioningProtocol

extension GivenCode {
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
}
