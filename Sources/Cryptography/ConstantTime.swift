internal import COpenSSL
internal import Secrets

/// Whether two sequences of bytes are equal, in a time that depends on their lengths alone.
func constantTimeEqual(_ left: SecretBytes, _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return left.withUnsafeBytes { left in
    right.withUnsafeBytes { right in
      CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
    }
  }
}
