internal import ProvisioningProtocol

/// What the program is told in confidence.
enum Secret: Equatable, Sendable {
  /// The Wi-Fi password: bytes up to the end of its source.
  case password
  /// The setup code, or the URI of the label that has it: one line.
  case setupCode
  /// The digits that a device shows to pair with: one line.
  case passkey
  /// The passphrase of a key: bytes up to the end of its source.
  case passphrase
  // Files, byte for byte.
  case caCertificate
  case clientCertificate
  case clientKey

  /// What it is called in a sentence.
  var name: String {
    switch self {
    case .password: "password"
    case .setupCode: "setup code"
    case .passkey: "passkey"
    case .passphrase: "passphrase"
    case .caCertificate: "CA certificate"
    case .clientCertificate: "client certificate"
    case .clientKey: "client key"
    }
  }

  /// What a terminal shows where it is asked for.
  var prompt: String {
    switch self {
    case .password: "Wi-Fi password: "
    case .setupCode: "Setup code of the device: "
    case .passkey: "Passkey that the device shows: "
    case .passphrase: "Passphrase of the key: "
    case .caCertificate, .clientCertificate, .clientKey: ""
    }
  }

  /// Whether a terminal shows what is typed.
  ///
  /// The digits of a code and a passkey are there to be compared.
  var isShown: Bool { self == .setupCode || self == .passkey }

  /// Whether a line end after it belongs to it.
  var isWhole: Bool {
    switch self {
    case .caCertificate, .clientCertificate, .clientKey: true
    case .password, .setupCode, .passkey, .passphrase: false
    }
  }

  /// In bytes.
  var maximumLength: Int {
    switch self {
    case .password, .passphrase: ProvisioningCharacteristic.password.valueLength.upperBound
    case .setupCode: SetupURI.maximumLength
    case .passkey: 6
    case .caCertificate, .clientCertificate, .clientKey: SegmentWriter.messageLength.upperBound
    }
  }

  /// The options that name a source, for advice; there are none for a passkey.
  var options: String {
    switch self {
    case .password: "--password-stdin, --password-file or --open"
    case .setupCode: "--code-file, --code-stdin or --code"
    case .passphrase: "--password-stdin or --password-file"
    case .passkey, .caCertificate, .clientCertificate, .clientKey: "it"
    }
  }
}
