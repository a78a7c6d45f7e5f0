internal import Secrets

extension SPAKE2Plus {
  /// What both sides derive from all that was said (sections 3.3 and 3.4).
  struct KeySchedule {
    /// What the prover has to send.
    let proverConfirmation: SecretBytes
    /// What the verifier has to send.
    let verifierConfirmation: SecretBytes
    let sharedKey: SecretBytes

    init(
      context: Context, w0: P256Scalar, proverShare: P256Point, verifierShare: P256Point,
      z: P256Point, v: P256Point
    ) throws(CryptographyError) {
      var transcript = try SHA256()
      for part in [context.label, context.prover, context.verifier] {
        try transcript.update(lengthPrefix(part.count))
        try transcript.update(part)
      }
      let points = [pointM, pointN, proverShare, verifierShare, z, v]
      for part in points.map(\.bytes) + [w0.bytes] {
        try transcript.update(lengthPrefix(part.count))
        try transcript.update(part)
      }
      let mainKey = try transcript.finalize()
      let keys = try HKDFSHA256.derive(
        from: mainKey, info: Array("ConfirmationKeys".utf8), count: 2 * SHA256.count)
      proverConfirmation = try HMACSHA256.code(
        for: Array(verifierShare.bytes), key: SecretBytes(keys.prefix(SHA256.count)))
      verifierConfirmation = try HMACSHA256.code(
        for: Array(proverShare.bytes), key: SecretBytes(keys.suffix(SHA256.count)))
      sharedKey = try HKDFSHA256.derive(
        from: mainKey, info: Array("SharedKey".utf8), count: SHA256.count)
    }
  }
}
