/// The name of a Wi-Fi network: 1 to 32 bytes of any value, often but not always UTF-8.
package struct SSID: Hashable, Sendable {
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
  /// The name for a terminal or a log, from which the bytes can be told again.
  ///
  /// Printable UTF-8 stands as it is. A backslash is doubled, and each byte of anything else
  /// becomes `\xHH`: what is not UTF-8, and the characters that move a cursor, turn the direction
  /// of writing, or cannot be seen.
  package var description: String {
    var text = ""
    var rest = bytes[...]
    while let first = rest.first {
      var iterator = rest.makeIterator()
      var decoder = UTF8()
      if case .scalarValue(let scalar) = decoder.decode(&iterator) {
        let encoded = rest.prefix(UTF8.width(scalar))
        if scalar == "\\" {
          text += "\\\\"
        } else if Self.isPrintable(scalar) {
          text.unicodeScalars.append(scalar)
        } else {
          for byte in encoded { text += "\\x\(hexadecimal([byte]))" }
        }
        rest = rest.dropFirst(encoded.count)
      } else {
        text += "\\x\(hexadecimal([first]))"
        rest = rest.dropFirst()
      }
    }
    return text
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    case .spaceSeparator: scalar == " "
    default: true
    }
  }
}
