internal import COpenSSL
package import Secrets

/// Authenticated encryption with ChaCha20 and Poly1305 (RFC 8439).
package enum ChaCha20Poly1305 {
  /// The length of a key, in bytes.
  package static let keyCount = 32
  /// The length of a nonce, in bytes.
  package static let nonceCount = 12
  /// By how many bytes a sealed text is longer.
  package static let tagCount = 16

  /// Encrypts `plaintext`, and appends the tag.
  ///
  /// A nonce must never be used twice with the same key.
  package static func seal(
    _ plaintext: SecretBytes, key: SecretBytes, nonce: [UInt8], associatedData: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    let cipher = try Cipher(key: key, nonce: nonce, encrypting: true)
    try cipher.authenticate(associatedData)
    var sealed = [UInt8](repeating: 0, count: plaintext.count)
    let updated = sealed.withUnsafeMutableBytes { output in
      plaintext.withUnsafeBytes { cipher.update($0, into: output) }
    }
    try CryptographyError.check(updated, "EVP_CipherUpdate")
    try CryptographyError.check(cipher.finish(), "EVP_CipherFinal_ex")
    return sealed + (try cipher.tag())
  }

  /// Decrypts what `seal` gave; `notAuthentic` when a byte of anything differs.
  package static func open(
    _ sealed: [UInt8], key: SecretBytes, nonce: [UInt8], associatedData: [UInt8]
  ) throws(CryptographyError) -> SecretBytes {
    guard sealed.count >= tagCount else { throw .invalidLength }
    let count = sealed.count - tagCount
    let cipher = try Cipher(key: key, nonce: nonce, encrypting: false)
    try cipher.authenticate(associatedData)
    return try SecretBytes(count: count) { (plaintext) throws(CryptographyError) in
      let updated = sealed.withUnsafeBytes {
        cipher.update(UnsafeRawBufferPointer(rebasing: $0.prefix(count)), into: plaintext)
      }
      try CryptographyError.check(updated, "EVP_CipherUpdate")
      try cipher.expect(tag: sealed.suffix(tagCount))
      guard cipher.finish() == 1 else {
        ERR_clear_error()
        throw .notAuthentic
      }
    }
  }

  /// OpenSSL's context, which is wiped when it is freed.
  private struct Cipher: ~Copyable {
    private let context: OpaquePointer

    init(key: SecretBytes, nonce: [UInt8], encrypting: Bool) throws(CryptographyError) {
      guard key.count == keyCount, nonce.count == nonceCount else { throw .invalidLength }
      guard let context = EVP_CIPHER_CTX_new() else { throw .library("EVP_CIPHER_CTX_new") }
      let status = key.withUnsafeBytes { key in
        nonce.withUnsafeBufferPointer { nonce in
          EVP_CipherInit_ex(
            context, EVP_chacha20_poly1305(), nil, key.bindMemory(to: UInt8.self).baseAddress,
            nonce.baseAddress, encrypting ? 1 : 0)
        }
      }
      guard status == 1 else {
        EVP_CIPHER_CTX_free(context)
        throw .library("EVP_CipherInit_ex")
      }
      self.context = context
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    func authenticate(_ bytes: [UInt8]) throws(CryptographyError) {
      guard let count = Int32(exactly: bytes.count) else { throw .invalidLength }
      var written: Int32 = 0
      let status = bytes.withUnsafeBufferPointer {
        EVP_CipherUpdate(context, nil, &written, $0.baseAddress, count)
      }
      try CryptographyError.check(status, "EVP_CipherUpdate")
    }

    /// Gives OpenSSL's status; `output` is as long as `input`.
    func update(
      _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Int32 {
      // Without output, OpenSSL would take the input as associated data.
      guard !input.isEmpty else { return 1 }
      guard let count = Int32(exactly: input.count) else { return 0 }
      var written: Int32 = 0
      return EVP_CipherUpdate(
        context, output.bindMemory(to: UInt8.self).baseAddress, &written,
        input.bindMemory(to: UInt8.self).baseAddress, count)
    }

    /// Gives OpenSSL's status: when decrypting, 0 for a wrong tag.
    func finish() -> Int32 {
      // A stream cipher has no last block to write, yet wants a place for it.
      var rest: UInt8 = 0
      var written: Int32 = 0
      return EVP_CipherFinal_ex(context, &rest, &written)
    }

    func tag() throws(CryptographyError) -> [UInt8] {
      var tag = [UInt8](repeating: 0, count: tagCount)
      let status = tag.withUnsafeMutableBytes {
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32($0.count), $0.baseAddress)
      }
      try CryptographyError.check(status, "EVP_CIPHER_CTX_ctrl")
      return tag
    }

    func expect(tag: ArraySlice<UInt8>) throws(CryptographyError) {
      var tag = Array(tag)
      let status = tag.withUnsafeMutableBytes {
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32($0.count), $0.baseAddress)
      }
      try CryptographyError.check(status, "EVP_CIPHER_CTX_ctrl")
    }
  }
}
