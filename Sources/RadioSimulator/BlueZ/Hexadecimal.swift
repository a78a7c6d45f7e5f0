/// Two or more lower-case digits.
func hexadecimal(_ number: some BinaryInteger, digits: Int = 2) -> String {
  let text = String(number, radix: 16)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
