package import Secrets

/// The code on a device's label: eight random digits and a check digit, shown as `123-456-789`.
///
/// The check digit is Damm's: any one wrong digit, and any two neighbours that changed places, are
/// noticed before a guess is spent on them.
package struct SetupCode: Equatable, Sendable {
  /// The nine digits as ASCII, which is what is stretched.
  package let digits: SecretBytes

  /// Why text is not a setup code.
  package enum FormatError: Error, Hashable, Sendable {
    /// Not nine digits, or something else than hyphens and spaces between them.
    case notNineDigits
    /// A digit is wrong, or two have changed places.
    case checkDigit
    /// One of the codes that people try first.
    case trivial
  }

  /// Reads ASCII text; hyphens and spaces are left out.
  package init(_ text: some Collection<UInt8>) throws(FormatError) {
    var digits: [UInt8] = []
    digits.reserveCapacity(9)
    for character in text where character != UInt8(ascii: "-") && character != UInt8(ascii: " ") {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character), digits.count < 9 else {
        throw .notNineDigits
      }
      digits.append(character - UInt8(ascii: "0"))
    }
    guard digits.count == 9 else { throw .notNineDigits }
    guard Self.checkDigit(of: digits[...]) == 0 else { throw .checkDigit }
    guard !Self.isTrivial(digits.dropLast()) else { throw .trivial }
    self.init(wiping: &digits)
  }

  /// Draws a code that is not trivial.
  package init(using generator: inout some RandomNumberGenerator) {
    var digits = [UInt8](repeating: 0, count: 9)
    repeat {
      for index in 0..<8 { digits[index] = .random(in: 0...9, using: &generator) }
    } while Self.isTrivial(digits.dropLast())
    digits[8] = Self.checkDigit(of: digits.dropLast())
    self.init(wiping: &digits)
  }

  /// Draws a code that nobody can foresee.
  package static func random() -> SetupCode {
    var generator = SystemRandomNumberGenerator()
    return SetupCode(using: &generator)
  }

  private init(wiping digits: inout [UInt8]) {
    for index in digits.indices { digits[index] += UInt8(ascii: "0") }
    self.digits = SecretBytes(wiping: &digits)
  }

  /// The code for the label and for its owner: `123-456-789`.
  package var label: String {
    stride(from: 0, to: digits.count, by: 3)
      .map { String(decoding: digits[$0..<$0 + 3], as: UTF8.self) }
      .joined(separator: "-")
  }

  /// The digit to append; 0 where the last one is the check digit of those before it.
  private static func checkDigit(of digits: ArraySlice<UInt8>) -> UInt8 {
    digits.reduce(0) { interim, digit in dammTable[Int(interim)][Int(digit)] }
  }

  /// Whether each digit differs from the one before by the same step modulo 10, as in 11111111 and
  /// 98765432, or the second half repeats the first, as in 12121212.
  private static func isTrivial(_ digits: ArraySlice<UInt8>) -> Bool {
    let steps = zip(digits, digits.dropFirst()).map { (10 + $1 - $0) % 10 }
    return Set(steps).count == 1
      || digits.prefix(digits.count / 2).elementsEqual(digits.suffix(digits.count / 2))
  }

  /// A totally anti-symmetric quasigroup of order 10 (Damm, 2004), with zeros along its
  /// diagonal.
  private static let dammTable: [[UInt8]] = [
    [0, 3, 1, 7, 5, 9, 8, 6, 4, 2],
    [7, 0, 9, 2, 1, 5, 4, 8, 6, 3],
    [4, 2, 0, 6, 8, 7, 1, 3, 5, 9],
    [1, 7, 5, 0, 9, 8, 3, 4, 2, 6],
    [6, 1, 2, 3, 0, 4, 5, 9, 7, 8],
    [3, 6, 7, 4, 2, 0, 9, 5, 8, 1],
    [5, 8, 6, 9, 7, 2, 0, 1, 3, 4],
    [8, 9, 4, 5, 3, 6, 2, 0, 1, 7],
    [9, 4, 3, 8, 6, 1, 7, 2, 0, 5],
    [2, 5, 8, 1, 4, 3, 6, 7, 9, 0],
  ]
}
