extension SPAKE2Plus {
  /// A record, and what the verifier has to compute from it alone: two of the five multiplications
  /// of an exchange.
  package struct PreparedRecord: Sendable {
    let record: Record
    /// w0 times M, which hides the prover's share.
    let proverMask: P256Point
    /// w0 times N, which hides the verifier's share.
    let verifierMask: P256Point

    package init(_ record: Record) throws(CryptographyError) {
      self.record = record
      proverMask = try pointM.times(record.w0)
      verifierMask = try pointN.times(record.w0)
    }
  }
}
