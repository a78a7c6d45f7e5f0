/// How a network protects its traffic, as far as its access points' flags tell.
package enum NetworkSecurity: Sendable, Hashable, CaseIterable {
  /// No encryption, no password. An OWE transition network is joined as this.
  case open
  /// Opportunistic encryption without a password.
  case owe
  /// WPA or WPA2 with a password.
  case wpa2
  /// A password that WPA2 and WPA3 stations may both use.
  case wpa2WPA3
  /// WPA3 only, with a password.
  case wpa3
  /// WEP, which NetworkManager and wpa_supplicant are giving up; not joined.
  case wep
  /// 802.1X: an identity or a certificate is needed; not joined yet.
  case enterprise

  /// Whether ``Station/join(ssid:password:progress:)`` can join such a network.
  package var isSupported: Bool { self != .wep && self != .enterprise }

  /// Whether a password is needed to join.
  package var needsPassword: Bool {
    switch self {
    case .open, .owe: false
    case .wpa2, .wpa2WPA3, .wpa3, .wep, .enterprise: true
    }
  }
}
