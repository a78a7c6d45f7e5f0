internal import COpenSSL

/// Why a cryptographic operation gave no result.
package enum CryptographyError: Error, Hashable, Sendable {
  /// Bytes that are no uncompressed point on the curve, or an operation that led to the identity.
  case invalidPoint
  /// Bytes that are no number from 1 to one less than the group's order.
  case invalidScalar
  /// A key, a nonce or a text of a length that the algorithm does not take.
  case invalidLength
  /// A tag or a proof that this key does not give: the key is another, or bytes were changed.
  case notAuthentic
  /// OpenSSL refused: memory ran out, or its configuration leaves out the algorithm.
  case library(function: String, message: String)

  /// Takes OpenSSL's newest error, and drops what its queue still has.
  static func library(_ function: StaticString) -> CryptographyError {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    let message = ERR_reason_error_string(code).map { String(cString: $0) } ?? "no reason given"
    return .library(function: "\(function)", message: message)
  }

  /// Throws unless OpenSSL says 1, its word for success.
  static func check(_ status: Int32, _ function: StaticString) throws(CryptographyError) {
    guard status == 1 else { throw library(function) }
  }
}
