/// Why bytes are not one CBOR data item within the limits.
package enum CBORError: Error, Hashable, Sendable {
  /// The bytes end inside the item.
  case truncated
  /// The bytes from this offset on are no item, or none that may stand there.
  case malformed(offset: Int)
  /// A text string that is not UTF-8, from this offset on.
  case invalidText(offset: Int)
  /// A map with two equal keys.
  case duplicateKey
  /// Bytes after the item.
  case trailingBytes(count: Int)
  /// More bytes than `CBORLimits.bytes`.
  case tooLong(count: Int)
  /// Deeper than `CBORLimits.depth`.
  case tooDeep
  /// More items than `CBORLimits.items`.
  case tooManyItems
}
