internal import COpenSSL
package import Secrets

/// HMAC with SHA-256 (RFC 2104).
package enum HMACSHA256 {
  /// The code that authenticates `bytes` under `key`; an empty key is an invalid length.
  package static func code(
    for bytes: [UInt8], key: SecretBytes
  ) throws(CryptographyError) -> SecretBytes {
    guard !key.isEmpty, let keyCount = Int32(exactly: key.count) else { throw .invalidLength }
    return try SecretBytes(count: SHA256.count) { (code) throws(CryptographyError) in
      let result = key.withUnsafeBytes { key in
        bytes.withUnsafeBufferPointer { bytes in
          HMAC(
            EVP_sha256(), key.baseAddress, keyCount, bytes.baseAddress, bytes.count,
            code.bindMemory(to: UInt8.self).baseAddress, nil)
        }
      }
      guard result != nil else { throw .library("HMAC") }
    }
  }
}
