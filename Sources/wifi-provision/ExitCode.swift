/// The status that the program ends with: one meaning each.
struct ExitCode: Equatable, Sendable {
  let rawValue: Int32
  /// What it stands for, as the help says it.
  let meaning: String

  private init(_ rawValue: Int32, _ meaning: String) {
    self.rawValue = rawValue
    self.meaning = meaning
  }

  static let done = ExitCode(0, "connected, or done")
  static let usage = ExitCode(2, "the command line is wrong")
  static let noAdapter = ExitCode(3, "no usable Bluetooth adapter")
  static let deviceNotFound = ExitCode(4, "device not found")
  static let connectionFailed = ExitCode(5, "the Bluetooth connection failed or was lost")
  static let refused = ExitCode(6, "the device refused")
  static let wrongCode = ExitCode(7, "wrong setup code")
  static let lockedOut = ExitCode(8, "the device is locked after wrong setup codes")
  static let wrongPassword = ExitCode(10, "wrong Wi-Fi password")
  static let networkNotFound = ExitCode(11, "Wi-Fi network not found")
  static let noAddress = ExitCode(12, "the network gave the device no address")
  static let rejected = ExitCode(13, "the access point rejected the device")
  static let securityNotSupported = ExitCode(14, "the device cannot do the network's security")
  static let timedOut = ExitCode(15, "timed out")
  static let otherFailure = ExitCode(20, "another failure of the device's Wi-Fi")

  /// Ended by the signal with this number.
  static func signal(_ number: Int32) -> ExitCode {
    ExitCode(128 + number, "ended by signal \(number)")
  }

  /// Every status but those of signals, in their order.
  static let all = [
    done, usage, noAdapter, deviceNotFound, connectionFailed, refused, wrongCode, lockedOut,
    wrongPassword, networkNotFound, noAddress, rejected, securityNotSupported, timedOut,
    otherFailure,
  ]
}
