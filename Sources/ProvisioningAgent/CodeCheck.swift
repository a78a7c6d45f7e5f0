package import ProvisioningProtocol

/// What the agent checks proofs of the setup code by, and counts wrong guesses with.
package struct CodeCheck: Sendable {
  package var verifier: CodeVerifier
  /// As it was stored last.
  package var wrongGuesses: UInt32
  package var store: any GuessStore

  package init(verifier: CodeVerifier, wrongGuesses: UInt32, store: any GuessStore) {
    self.verifier = verifier
    self.wrongGuesses = wrongGuesses
    self.store = store
  }
}
