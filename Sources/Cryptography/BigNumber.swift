internal import COpenSSL
internal import Secrets

/// OpenSSL's big number, marked for operations whose time does not depend on it, and wiped at its
/// end.
struct BigNumber: ~Copyable {
  let pointer: OpaquePointer

  init() throws(CryptographyError) {
    guard let pointer = BN_new() else { throw .library("BN_new") }
    BN_set_flags(pointer, BN_FLG_CONSTTIME)
    self.pointer = pointer
  }

  /// Reads big-endian bytes.
  init(_ bytes: SecretBytes) throws(CryptographyError) {
    guard let count = Int32(exactly: bytes.count) else { throw .invalidLength }
    let number = bytes.withUnsafeBytes {
      BN_bin2bn($0.bindMemory(to: UInt8.self).baseAddress, count, nil)
    }
    guard let number else { throw .library("BN_bin2bn") }
    BN_set_flags(number, BN_FLG_CONSTTIME)
    pointer = number
  }

  deinit { BN_clear_free(pointer) }

  var isZero: Bool { BN_is_zero(pointer) == 1 }

  /// Writes the number big-endian, with zeros in front.
  func bytes(count: Int) throws(CryptographyError) -> SecretBytes {
    guard let length = Int32(exactly: count) else { throw .invalidLength }
    let pointer = self.pointer
    return try SecretBytes(count: count) { (bytes) throws(CryptographyError) in
      let written = BN_bn2binpad(pointer, bytes.bindMemory(to: UInt8.self).baseAddress, length)
      guard written == length else { throw .library("BN_bn2binpad") }
    }
  }
}
