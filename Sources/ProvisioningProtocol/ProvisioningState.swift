/// Where the device is, as its status value says.
///
/// Later minor versions may add values; an unknown one is kept and is not final.
package struct ProvisioningState: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let idle = Self(rawValue: 0x00)
  package static let credentialsReceived = Self(rawValue: 0x01)
  package static let preparing = Self(rawValue: 0x02)
  package static let associating = Self(rawValue: 0x03)
  package static let authenticating = Self(rawValue: 0x04)
  package static let obtainingAddress = Self(rawValue: 0x05)
  package static let checkingConnectivity = Self(rawValue: 0x06)
  package static let connected = Self(rawValue: 0x07)
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
