/// What the device keeps of its setup code, by the word in its configuration.
enum CodeStorage: String, CaseIterable {
  /// The code too, so that the label can be shown again.
  case code
  /// Only what a handshake needs: who steals the device's storage has to guess the code.
  case verifier
}
