package import Secrets

extension SPAKE2Plus {
  /// What the prover computes from the password: the scalars w0 and w1.
  package struct Credentials: Equatable, Sendable {
    let w0: P256Scalar
    let w1: P256Scalar

    package init(w0: P256Scalar, w1: P256Scalar) {
      self.w0 = w0
      self.w1 = w1
    }

    /// The bytes to stretch for a password (section 3.2): it and both names, each with its length.
    package static func stretchingInput(
      password: SecretBytes, prover: [UInt8], verifier: [UInt8]
    ) -> SecretBytes {
      let names = lengthPrefix(prover.count) + prover + lengthPrefix(verifier.count) + verifier
      return SecretBytes(count: 8 + password.count + names.count) { input in
        input.copyBytes(from: lengthPrefix(password.count))
        password.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(rebasing: input.dropFirst(8)).copyMemory(from: $0)
        }
        UnsafeMutableRawBufferPointer(rebasing: input.dropFirst(8 + password.count))
          .copyBytes(from: names)
      }
    }

    /// Takes the 80 bytes that the password was stretched to: each half, modulo the group's order,
    /// is a scalar.
    package init(stretched bytes: SecretBytes) throws(CryptographyError) {
      guard bytes.count == stretchedCount else { throw .invalidLength }
      w0 = try P256Scalar(reducing: SecretBytes(bytes.prefix(stretchedCount / 2)))
      w1 = try P256Scalar(reducing: SecretBytes(bytes.suffix(stretchedCount / 2)))
    }

    /// What the verifier needs to know.
    package func record() throws(CryptographyError) -> Record {
      Record(w0: w0, l: try P256Point.generator(times: w1))
    }
  }
}
