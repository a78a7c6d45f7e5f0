package import Cryptography

/// What a device keeps of its setup code: enough to check a proof of it, not to make one.
package struct CodeVerifier: Equatable, Sendable {
  /// Checks the proofs.
  package let record: SPAKE2Plus.Record
  /// How the code was stretched, for provisioners to do the same.
  package let stretching: CodeStretching

  package init(record: SPAKE2Plus.Record, stretching: CodeStretching) {
    self.record = record
    self.stretching = stretching
  }
}
