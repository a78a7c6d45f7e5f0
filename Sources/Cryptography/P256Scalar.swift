internal import COpenSSL
package import Secrets

/// A number from 1 to one less than the order of P-256.
package struct P256Scalar: Equatable, Sendable {
  /// The length of a scalar, in bytes.
  package static let count = 32

  /// The number, big-endian.
  package let bytes: SecretBytes

  /// Takes 32 bytes, big-endian; anything else than a scalar is `invalidScalar`.
  package init(_ bytes: SecretBytes) throws(CryptographyError) {
    guard bytes.count == Self.count else { throw .invalidScalar }
    let number = try BigNumber(bytes)
    guard !number.isZero, BN_cmp(number.pointer, try P256Group.order()) < 0 else {
      throw .invalidScalar
    }
    self.bytes = bytes
  }

  /// Takes a longer number, big-endian, modulo the order.
  ///
  /// The result is evenly spread if the number has 8 bytes more than the order, or more.
  package init(reducing bytes: SecretBytes) throws(CryptographyError) {
    let number = try BigNumber(bytes)
    let remainder = try BigNumber()
    guard let context = BN_CTX_secure_new() else { throw .library("BN_CTX_secure_new") }
    defer { BN_CTX_free(context) }
    try CryptographyError.check(
      BN_nnmod(remainder.pointer, number.pointer, try P256Group.order(), context), "BN_nnmod")
    try self.init(remainder.bytes(count: Self.count))
  }

  /// A scalar that nobody can guess, each equally likely.
  package static func random() throws(CryptographyError) -> P256Scalar {
    let number = try BigNumber()
    let order = try P256Group.order()
    repeat {
      try CryptographyError.check(
        BN_priv_rand_range(number.pointer, order), "BN_priv_rand_range")
    } while number.isZero
    return try P256Scalar(number.bytes(count: count))
  }
}
