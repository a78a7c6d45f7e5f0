/// Where the device is, as coarse as its advertisement says it; a number from 0 to 15.
///
/// Later minor versions may add values; an unknown one is kept.
package struct AdvertisedState: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  /// Takes the low four bits; the others belong to the flags.
  package init(rawValue: UInt8) { self.rawValue = rawValue & 0x0F }

  /// In no network.
  package static let notProvisioned = Self(rawValue: 0)
  /// A provisioner has the device.
  package static let sessionInProgress = Self(rawValue: 1)
  /// An attempt to join a network is running.
  package static let connecting = Self(rawValue: 2)
  /// In a network.
  package static let connected = Self(rawValue: 3)
  /// In no network, for the last attempt failed.
  package static let failed = Self(rawValue: 4)

  /// The word for it in JSON, in kebab-case.
  package var name: String {
    switch self {
    case .notProvisioned: "not-provisioned"
    case .sessionInProgress: "session-in-progress"
    case .connecting: "connecting"
    case .connected: "connected"
    case .failed: "failed"
    default: "unknown-\(hexadecimal([rawValue]))"
    }
  }
}
