/// Bytes from outside as text for a terminal or a log, from which the bytes can be told again.
///
/// Printable UTF-8 stands as it is. A backslash is doubled, and each byte of anything else becomes
/// `\xHH`: what is not UTF-8, and the characters that move a cursor, turn the direction of writing,
/// or cannot be seen.
package func printableText(_ bytes: some Collection<UInt8>) -> String {
  var text = ""
  var rest = Array(bytes)[...]
  while let first = rest.first {
    var iterator = rest.makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else {
      text += "\\x\(hexadecimal([first]))"
      rest = rest.dropFirst()
      continue
    }
    let encoded = rest.prefix(UTF8.width(scalar))
    if scalar == "\\" {
      text += "\\\\"
    } else if isPrintable(scalar) {
      text.unicodeScalars.append(scalar)
    } else {
      for byte in encoded { text += "\\x\(hexadecimal([byte]))" }
    }
    rest = rest.dropFirst(encoded.count)
  }
  return text
}

private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
    .paragraphSeparator:
    false
  case .spaceSeparator: scalar == " "
  default: true
  }
}
