/// Whom the board of a scenario takes credentials from: the word in its configuration.
package enum BoardSecurity: String, CaseIterable, Sendable {
  /// Whoever proves to know the setup code.
  case code
  /// Whoever has paired with it.
  case link
  /// Whoever is in reach.
  case open
}
