internal import COpenSSL
package import Secrets

/// SHA-256 over bytes that come in parts, so that secrets need not be put together first.
package struct SHA256: ~Copyable {
  /// The length of a hash, in bytes.
  package static let count = 32

  private let context: OpaquePointer

  package init() throws(CryptographyError) {
    guard let context = EVP_MD_CTX_new() else { throw .library("EVP_MD_CTX_new") }
    guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      EVP_MD_CTX_free(context)
      throw .library("EVP_DigestInit_ex")
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  package mutating func update(_ bytes: [UInt8]) throws(CryptographyError) {
    let status = bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    try CryptographyError.check(status, "EVP_DigestUpdate")
  }

  package mutating func update(_ secret: SecretBytes) throws(CryptographyError) {
    let status = secret.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    try CryptographyError.check(status, "EVP_DigestUpdate")
  }

  /// The hash of all parts.
  package consuming func finalize() throws(CryptographyError) -> SecretBytes {
    let context = self.context
    return try SecretBytes(count: Self.count) { (hash) throws(CryptographyError) in
      let status = EVP_DigestFinal_ex(context, hash.bindMemory(to: UInt8.self).baseAddress, nil)
      try CryptographyError.check(status, "EVP_DigestFinal_ex")
    }
  }

  /// The hash of bytes that are no secret.
  package static func hash(of bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
    var hash = try SHA256()
    try hash.update(bytes)
    return Array(try hash.finalize())
  }
}
