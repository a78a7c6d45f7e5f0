/// The kinds of security that a network can have.
package enum NetworkSecurity: String, CaseIterable, Sendable {
  case open
  /// Encrypted, without a password.
  case owe
  /// WPA and WPA2 with a password, and networks that offer WPA3 beside it.
  case wpaPSK = "wpa-psk"
  /// WPA3 with a password, and nothing older.
  case sae
  /// 802.1X, with identities and certificates.
  case wpaEAP = "wpa-eap"
}
