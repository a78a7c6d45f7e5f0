internal import ProvisioningProtocol

/// What the program is told in confidence.
enum Secret: Equatable, Sendable {
  /// The Wi-Fi password: bytes up to the end of its source.
  case password
  /// The setup code, or the URI of the label that has it: one line.
  case setupCode
  /// The digits that a device shows to pair with: one line.
  case passkey

  /// What it is called in a sentence.
  var name: String {
    switch self {
    case .password: "password"
    case .setupCode: "setup code"
    case .passkey: "passkey"
    }
  }

  /// What a terminal shows where it is asked for.
  var prompt: String {
    switch self {
    case .password: "Wi-Fi password: "
    case .setupCode: "Setup code of the device: "
    case .passkey: "Passkey that the device shows: "
    }
  }

  /// In bytes.
  var maximumLength: Int {
    switch self {
    case .password: ProvisioningCharacteristic.password.valueLength.upperBound
    case .setupCode: SetupURI.maximumLength
    case .passkey: 6
    }
  }

  /// The options that name a source, for advice; there are none for a passkey.
  var options: String {
    switch self {
    case .password: "--password-stdin, --password-file or --open"
    case .setupCode: "--code-file, --code-stdin or --code"
    case .passkey: "it"
    }
  }
}
