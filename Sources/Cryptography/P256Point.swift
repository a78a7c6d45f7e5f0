internal import COpenSSL
package import Secrets

/// A point on P-256, never the identity.
///
/// It is kept as its bytes: a value without a C handle, at the price of one inversion for each
/// result, a small part of what a multiplication costs.
package struct P256Point: Equatable, Sendable {
  /// The length of an uncompressed point, in bytes.
  package static let count = 65

  /// The uncompressed point of SEC 1: 04, x, y.
  package let bytes: SecretBytes

  /// Takes an uncompressed point; anything else, and what is not on the curve, is `invalidPoint`.
  package init(_ bytes: some Collection<UInt8>) throws(CryptographyError) {
    let bytes = SecretBytes(bytes)
    // The other forms of SEC 1 would be a second name for the same point.
    guard bytes.count == Self.count, bytes.first == 0x04 else { throw .invalidPoint }
    _ = try Handle(bytes)
    self.bytes = bytes
  }

  /// Takes an uncompressed point that is one for certain: a constant.
  init(onCurve bytes: [UInt8]) {
    self.bytes = SecretBytes(bytes)
  }

  private init(_ handle: borrowing Handle) throws(CryptographyError) {
    bytes = try handle.bytes()
  }

  /// The generator, `scalar` times, and another point; `invalidPoint` if that is the identity.
  package static func generator(
    times scalar: P256Scalar, plus other: P256Point? = nil
  ) throws(CryptographyError) -> P256Point {
    let group = try P256Group.pointer()
    let result = try Handle()
    let number = try BigNumber(scalar.bytes)
    try CryptographyError.check(
      EC_POINT_mul(group, result.pointer, number.pointer, nil, nil, nil), "EC_POINT_mul")
    if let other {
      let other = try Handle(other.bytes)
      try CryptographyError.check(
        EC_POINT_add(group, result.pointer, result.pointer, other.pointer, nil), "EC_POINT_add")
    }
    return try P256Point(result)
  }

  /// This point, `scalar` times.
  package func times(_ scalar: P256Scalar) throws(CryptographyError) -> P256Point {
    // One product a call: where OpenSSL has no assembly for P-256, the time that it takes for a
    // sum of two products tells of their scalars.
    let point = try Handle(bytes)
    let result = try Handle()
    let number = try BigNumber(scalar.bytes)
    try CryptographyError.check(
      EC_POINT_mul(
        try P256Group.pointer(), result.pointer, nil, point.pointer, number.pointer, nil),
      "EC_POINT_mul")
    return try P256Point(result)
  }

  /// The difference; `invalidPoint` if that is the identity.
  package func minus(_ other: P256Point) throws(CryptographyError) -> P256Point {
    let group = try P256Group.pointer()
    let result = try Handle(bytes)
    let opposite = try Handle(other.bytes)
    try CryptographyError.check(EC_POINT_invert(group, opposite.pointer, nil), "EC_POINT_invert")
    try CryptographyError.check(
      EC_POINT_add(group, result.pointer, result.pointer, opposite.pointer, nil), "EC_POINT_add")
    return try P256Point(result)
  }

  /// OpenSSL's point, wiped at its end.
  private struct Handle: ~Copyable {
    let pointer: OpaquePointer

    init() throws(CryptographyError) {
      guard let pointer = EC_POINT_new(try P256Group.pointer()) else {
        throw .library("EC_POINT_new")
      }
      self.pointer = pointer
    }

    init(_ bytes: SecretBytes) throws(CryptographyError) {
      let group = try P256Group.pointer()
      guard let pointer = EC_POINT_new(group) else { throw .library("EC_POINT_new") }
      let status = bytes.withUnsafeBytes {
        EC_POINT_oct2point(
          group, pointer, $0.bindMemory(to: UInt8.self).baseAddress, $0.count, nil)
      }
      guard status == 1 else {
        EC_POINT_free(pointer)
        ERR_clear_error()
        throw .invalidPoint
      }
      self.pointer = pointer
    }

    deinit { EC_POINT_clear_free(pointer) }

    func bytes() throws(CryptographyError) -> SecretBytes {
      let (group, pointer) = (try P256Group.pointer(), self.pointer)
      guard EC_POINT_is_at_infinity(group, pointer) == 0 else { throw .invalidPoint }
      return try SecretBytes(count: P256Point.count) { (bytes) throws(CryptographyError) in
        let written = EC_POINT_point2oct(
          group, pointer, POINT_CONVERSION_UNCOMPRESSED,
          bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, nil)
        guard written == bytes.count else { throw .library("EC_POINT_point2oct") }
      }
    }
  }
}
