package import Secrets

extension SPAKE2Plus {
  /// The side that knows the password's record, in one exchange.
  ///
  /// Whoever has the confirmation can tell from it whether their guess of the password was right: to
  /// hand it out is to have allowed a guess.
  package struct Verifier: Sendable {
    /// What to send first.
    package let share: [UInt8]
    /// What to send with the share.
    package let confirmation: [UInt8]
    private let keys: KeySchedule

    /// Answers a prover's share with a random scalar; `invalidPoint` when the share cannot be one.
    package init(
      record: PreparedRecord, context: Context, proverShare: [UInt8]
    ) throws(CryptographyError) {
      try self.init(
        record: record, context: context, proverShare: proverShare, scalar: .random())
    }

    /// Answers with a given scalar, which only test vectors may fix.
    package init(
      record: PreparedRecord, context: Context, proverShare: [UInt8], scalar: P256Scalar
    ) throws(CryptographyError) {
      let proverShare = try P256Point(proverShare)
      let blinded = try proverShare.minus(record.proverMask)
      let verifierShare = try P256Point.generator(times: scalar, plus: record.verifierMask)
      keys = try KeySchedule(
        context: context, w0: record.record.w0, proverShare: proverShare,
        verifierShare: verifierShare,
        z: blinded.times(scalar), v: record.record.l.times(scalar))
      share = Array(verifierShare.bytes)
      confirmation = Array(keys.verifierConfirmation)
    }

    /// Checks the prover's confirmation, and gives the shared key; `notAuthentic` when the prover
    /// does not know the password, or when the two contexts differ.
    package func finish(proverConfirmation: [UInt8]) throws(CryptographyError) -> SecretBytes {
      guard constantTimeEqual(keys.proverConfirmation, proverConfirmation) else {
        throw .notAuthentic
      }
      return keys.sharedKey
    }
  }
}
