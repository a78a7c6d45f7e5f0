/// Four bytes in network order.
package struct IPv4Address: Sendable, Hashable, CustomStringConvertible {
  /// Exactly four bytes.
  package let bytes: [UInt8]

  /// Reads dotted decimals; nil unless there are four numbers from 0 to 255.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { UInt8($0) }
    guard parts.count == 4, bytes.count == 4 else { return nil }
    self.bytes = bytes
  }

  /// Dotted decimals.
  package var description: String { bytes.map { String($0) }.joined(separator: ".") }
}
