/// Hexadecimal digits, without Foundation.
enum Hexadecimal {
  /// At least `digits` upper-case digits.
  static func text(_ value: some FixedWidthInteger, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// The value of one to sixteen ASCII digits; nil for anything else.
  static func number(_ digits: some Collection<UInt8>) -> UInt64? {
    guard 1...16 ~= digits.count else { return nil }
    var value: UInt64 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        value = value << 4 | UInt64(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"):
        value = value << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"):
        value = value << 4 | UInt64(digit - UInt8(ascii: "A") + 10)
      default: return nil
      }
    }
    return value
  }
}
