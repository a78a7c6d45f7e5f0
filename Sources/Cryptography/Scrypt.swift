internal import COpenSSL
package import Secrets

/// The password-based key derivation function of RFC 7914.
package enum Scrypt {
  /// Derives `count` bytes; takes 128·`n`·`r` bytes of memory while it runs.
  ///
  /// OpenSSL refuses an `n` that is not a power of two, and costs beyond `memoryLimit` bytes.
  package static func derive(
    from password: SecretBytes, salt: [UInt8], n: UInt64, r: UInt64, p: UInt64, count: Int,
    memoryLimit: UInt64 = 64 << 20
  ) throws(CryptographyError) -> SecretBytes {
    guard count > 0 else { throw .invalidLength }
    return try SecretBytes(count: count) { (derived) throws(CryptographyError) in
      let status = password.withUnsafeBytes { password in
        salt.withUnsafeBufferPointer { salt in
          EVP_PBE_scrypt(
            password.bindMemory(to: CChar.self).baseAddress, password.count, salt.baseAddress,
            salt.count, n, r, p, memoryLimit, derived.bindMemory(to: UInt8.self).baseAddress, count)
        }
      }
      try CryptographyError.check(status, "EVP_PBE_scrypt")
    }
  }
}
