/// How a network protects its traffic, as far as its access points' flags tell.
package enum NetworkSecurity: Sendable, Hashable, CaseIterable {
  /// No encryption, no password.
  case open
  /// Opportunistic encryption without a password.
  case owe
  /// An open network with a hidden one beside it that has opportunistic encryption.
  case oweTransition
  /// WPA or WPA2 with a password.
  case wpa2
  /// A password that WPA2 and WPA3 stations may both use.
  case wpa2WPA3
  /// WPA3 only, with a password.
  case wpa3
  /// 802.1X: an identity with a password or a certificate.
  case enterprise
  /// 802.1X with the 192-bit suite alone; not joined.
  case enterprise192
  /// WEP, which NetworkManager and wpa_supplicant are giving up; not joined.
  case wep

  /// Whether ``Station/join(_:failing:progress:)`` can join such a network.
  package var isSupported: Bool { !keyManagements.isEmpty }

  /// Whether a password or another secret is needed to join.
  package var needsPassword: Bool {
    switch self {
    case .open, .owe, .oweTransition: false
    case .wpa2, .wpa2WPA3, .wpa3, .wep, .enterprise, .enterprise192: true
    }
  }
}
