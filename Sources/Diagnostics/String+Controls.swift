extension String {
  /// With each control character as `\u{…}`, so that the text stays one line and moves no cursor.
  package var escapingControls: String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    var escaped = ""
    for scalar in unicodeScalars {
      if isControl(scalar) {
        escaped += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
