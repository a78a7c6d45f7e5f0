internal import COpenSSL
package import Secrets

/// HKDF with SHA-256 and without a salt (RFC 5869), extract and expand in one.
package enum HKDFSHA256 {
  /// Derives `count` bytes, at most 8,160, for the purpose that `info` names.
  package static func derive(
    from key: SecretBytes, info: [UInt8], count: Int
  ) throws(CryptographyError) -> SecretBytes {
    guard !key.isEmpty, let keyCount = Int32(exactly: key.count),
      let infoCount = Int32(exactly: info.count), (1...255 * SHA256.count).contains(count)
    else { throw .invalidLength }
    guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil) else {
      throw .library("EVP_PKEY_CTX_new_id")
    }
    defer { EVP_PKEY_CTX_free(context) }
    try CryptographyError.check(EVP_PKEY_derive_init(context), "EVP_PKEY_derive_init")
    try CryptographyError.check(
      EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()), "EVP_PKEY_CTX_set_hkdf_md")
    let keyStatus = key.withUnsafeBytes {
      EVP_PKEY_CTX_set1_hkdf_key(context, $0.bindMemory(to: UInt8.self).baseAddress, keyCount)
    }
    try CryptographyError.check(keyStatus, "EVP_PKEY_CTX_set1_hkdf_key")
    if !info.isEmpty {
      let infoStatus = info.withUnsafeBufferPointer {
        EVP_PKEY_CTX_add1_hkdf_info(context, $0.baseAddress, infoCount)
      }
      try CryptographyError.check(infoStatus, "EVP_PKEY_CTX_add1_hkdf_info")
    }
    return try SecretBytes(count: count) { (derived) throws(CryptographyError) in
      var length = count
      let status = EVP_PKEY_derive(
        context, derived.bindMemory(to: UInt8.self).baseAddress, &length)
      try CryptographyError.check(status, "EVP_PKEY_derive")
    }
  }
}
