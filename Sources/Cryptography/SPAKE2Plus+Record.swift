package import Secrets

extension SPAKE2Plus {
  /// What the verifier keeps of a password: w0, and L, which is w1 times the generator.
  ///
  /// Whoever steals it can imitate the verifier, and test guesses of the password as fast as they
  /// can be stretched, but not take the prover's part at once.
  package struct Record: Equatable, Sendable {
    /// The length of `encoded`.
    package static let count = P256Scalar.count + P256Point.count

    let w0: P256Scalar
    let l: P256Point

    package init(w0: P256Scalar, l: P256Point) {
      self.w0 = w0
      self.l = l
    }

    /// Reads what `encoded` gave.
    package init(decoding bytes: SecretBytes) throws(CryptographyError) {
      guard bytes.count == Self.count else { throw .invalidLength }
      w0 = try P256Scalar(SecretBytes(bytes.prefix(P256Scalar.count)))
      l = try P256Point(bytes.suffix(P256Point.count))
    }

    /// The scalar, then the point.
    package var encoded: SecretBytes {
      SecretBytes(count: Self.count) { bytes in
        w0.bytes.withUnsafeBytes { bytes.copyMemory(from: $0) }
        l.bytes.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(rebasing: bytes.dropFirst(P256Scalar.count))
            .copyMemory(from: $0)
        }
      }
    }
  }
}
