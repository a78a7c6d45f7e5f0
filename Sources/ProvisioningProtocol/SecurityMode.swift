/// Who may provision the device, by the word in its configuration.
package enum SecurityMode: String, CaseIterable, Sendable {
  /// Who proves to know the setup code; plain writes are refused.
  case code
  /// Who is paired: plain writes over an encrypted link, which the Bluetooth layer sees to.
  case link
  /// Anyone in reach.
  case open
}
