import Secrets

/// Bytes from hexadecimal digits, between which white space may stand; nil for anything else.
func bytes(hex text: String) -> [UInt8]? {
  let digits = text.filter { !$0.isWhitespace }.map(\.hexDigitValue)
  guard digits.count.isMultiple(of: 2) else { return nil }
  var bytes: [UInt8] = []
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = digits[index], let low = digits[index + 1] else { return nil }
    bytes.append(UInt8(high << 4 | low))
  }
  return bytes
}
