/// How the password is proved inside of PEAP and TTLS.
package enum Phase2Method: String, CaseIterable, Sendable {
  case mschapv2
  /// The password itself; TTLS only.
  case pap
  /// The password as a token.
  case gtc
}
