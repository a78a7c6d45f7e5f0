/// Where the device is, as its status value says.
///
/// Later minor versions may add values; an unknown one is kept and is not final.
package struct ProvisioningState: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No attempt yet, and no network.
  package static let idle = Self(rawValue: 0x00)
  /// An SSID was written, perhaps a password too.
  package static let credentialsReceived = Self(rawValue: 0x01)
  /// Looking for the network.
  package static let preparing = Self(rawValue: 0x02)
  /// Making itself known to the access point.
  package static let associating = Self(rawValue: 0x03)
  /// Proving that it knows the password.
  package static let authenticating = Self(rawValue: 0x04)
  /// Waiting for DHCP.
  package static let obtainingAddress = Self(rawValue: 0x05)
  /// Trying whether the internet is reached.
  package static let checkingConnectivity = Self(rawValue: 0x06)
  /// In the network.
  package static let connected = Self(rawValue: 0x07)
  /// Not in the network, for a reason.
  package static let failed = Self(rawValue: 0x08)
  /// Failed, and the network used before is in use again.
  package static let rolledBack = Self(rawValue: 0x09)

  /// Whether an attempt ends here.
  package var isFinal: Bool { self == .connected || self == .failed || self == .rolledBack }

  /// The word for it in JSON, in kebab-case.
  package var name: String {
    switch self {
    case .idle: "idle"
    case .credentialsReceived: "credentials-received"
    case .preparing: "preparing"
    case .associating: "associating"
    case .authenticating: "authenticating"
    case .obtainingAddress: "obtaining-address"
    case .checkingConnectivity: "checking-connectivity"
    case .connected: "connected"
    case .failed: "failed"
    case .rolledBack: "rolled-back"
    default: "unknown-\(hexadecimal([rawValue]))"
    }
  }
}
