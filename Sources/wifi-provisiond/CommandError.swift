internal import Cryptography
internal import DeviceState
internal import MachineIdentity
internal import QRCode

/// Why a command of the person at the device failed.
struct CommandError: Error, Equatable {
  /// For that person.
  let message: String

  init(_ message: String) { self.message = message }

  init(_ error: StateError) { self.init(error.description) }

  init(_ error: MachineIdentity.Failure) {
    self.init("\(error.words); set id in [device] of the configuration")
  }

  init(_ error: CryptographyError) {
    self.init("the setup code’s verifier cannot be made: \(error)")
  }

  init(_ error: QRCode.Failure) {
    switch error {
    case .tooLong: self.init("the device’s name is too long for a QR code")
    case .outOfMemory: self.init("out of memory")
    case .picture(let reason): self.init("cannot draw the label: \(reason)")
    }
  }
}
