package import Secrets

extension SPAKE2Plus {
  /// The side that knows the password, in one exchange.
  package struct Prover: Sendable {
    private let credentials: Credentials
    private let context: Context
    private let scalar: P256Scalar
    private let sharePoint: P256Point

    /// Begins an exchange with a random scalar.
    package init(credentials: Credentials, context: Context) throws(CryptographyError) {
      try self.init(credentials: credentials, context: context, scalar: .random())
    }

    /// Begins an exchange with a given scalar, which only test vectors may fix.
    package init(
      credentials: Credentials, context: Context, scalar: P256Scalar
    ) throws(CryptographyError) {
      self.credentials = credentials
      self.context = context
      self.scalar = scalar
      sharePoint = try P256Point.generator(times: scalar, plus: pointM.times(credentials.w0))
    }

    /// What to send first.
    package var share: [UInt8] { Array(sharePoint.bytes) }

    /// Checks the verifier's answer, and gives the confirmation to send and the shared key.
    ///
    /// `notAuthentic` when the verifier does not know the password's record, or when the two
    /// contexts differ; `invalidPoint` when the share cannot be one.
    package func finish(
      verifierShare: [UInt8], verifierConfirmation: [UInt8]
    ) throws(CryptographyError) -> (confirmation: [UInt8], sharedKey: SecretBytes) {
      let verifierShare = try P256Point(verifierShare)
      let blinded = try verifierShare.minus(pointN.times(credentials.w0))
      let keys = try KeySchedule(
        context: context, w0: credentials.w0, proverShare: sharePoint,
        verifierShare: verifierShare, z: blinded.times(scalar), v: blinded.times(credentials.w1))
      guard constantTimeEqual(keys.verifierConfirmation, verifierConfirmation) else {
        throw .notAuthentic
      }
      return (Array(keys.proverConfirmation), keys.sharedKey)
    }
  }
}
