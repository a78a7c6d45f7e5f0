/// The six digits that one side of a pairing shows and the other one asks for.
public struct Passkey: RawRepresentable, Sendable, Hashable {
  /// The number, 0 to 999,999.
  public let rawValue: UInt32

  /// The passkey of a number; nil above 999,999.
  public init?(rawValue: UInt32) {
    guard rawValue <= 999_999 else { return nil }
    self.rawValue = rawValue
  }

  /// Reads six digits; nil for anything else.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == 6,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = UInt32(text)
    else { return nil }
    rawValue = number
  }
}

extension Passkey: CustomStringConvertible {
  /// The six digits.
  public var description: String {
    let digits = String(rawValue)
    return String(repeating: "0", count: 6 - digits.utf8.count) + digits
  }
}
