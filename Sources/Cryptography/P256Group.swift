internal import COpenSSL

/// The group of NIST P-256, whose order is a prime: each point but the identity generates it.
enum P256Group {
  // Unsafe: made once, and from then on only passed where OpenSSL takes a const group.
  nonisolated(unsafe) private static let shared = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)

  /// OpenSSL's group, which lives as long as the process.
  static func pointer() throws(CryptographyError) -> OpaquePointer {
    guard let shared else { throw .library("EC_GROUP_new_by_curve_name") }
    return shared
  }

  /// The number of the group's elements.
  static func order() throws(CryptographyError) -> OpaquePointer {
    guard let order = EC_GROUP_get0_order(try pointer()) else {
      throw .library("EC_GROUP_get0_order")
    }
    return order
  }
}
