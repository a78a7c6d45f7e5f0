/// The name of a Wi-Fi network: 1 to 32 bytes of any value, often but not always UTF-8.
package struct SSID: Hashable, Sendable {
  /// From 1 to 32.
  package let bytes: [UInt8]

  /// Why bytes are not the name of a network.
  package enum FormatError: Error, Hashable, Sendable {
    case empty
    case tooLong(count: Int)
  }

  /// Takes the bytes as they are.
  package init(_ bytes: [UInt8]) throws(FormatError) {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= 32 else { throw .tooLong(count: bytes.count) }
    self.bytes = bytes
  }

  /// Two digits a byte.
  package var hex: String { hexadecimal(bytes) }
}

extension SSID: CustomStringConvertible {
  /// The name for a terminal or a log, as `printableText` shows it.
  package var description: String { printableText(bytes) }
}
