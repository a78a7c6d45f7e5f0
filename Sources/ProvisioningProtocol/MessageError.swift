package import CBOR

/// Why the content of a sealed record, or a part of it, cannot be used.
package enum MessageError: Error, Hashable, Sendable {
  case malformed(CBORError)
  case notAMap
  /// A key that must be there is not.
  case missing(UInt64)
  /// The value under a key has another type than the schema says, or is out of its range.
  case invalid(UInt64)
  /// The value under a key asks for what this version cannot do.
  case unsupported(UInt64)
}
