/// The identifier of a service, characteristic or descriptor, of 16, 32 or 128 bits.
///
/// Short ones stand for 128 bits made with the Bluetooth base UUID; the two spellings are equal.
public struct BluetoothUUID: Sendable, Hashable {
  /// The first and the last eight bytes, big-endian.
  private let high: UInt64
  private let low: UInt64

  private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
  private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

  /// A UUID of 16 bits, such as 0xFF00.
  public init(_ short: UInt16) { self.init(UInt32(short)) }

  /// A UUID of 32 bits.
  public init(_ short: UInt32) {
    self.init(high: UInt64(short) << 32 | Self.baseHigh, low: Self.baseLow)
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads 4 or 8 digits, or the form with 32 digits and four hyphens; nil for anything else.
  public init?(_ text: some StringProtocol) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    switch parts.map(\.count) {
    case [4], [8]:
      guard let short = Hexadecimal.number(parts[0]) else { return nil }
      self.init(UInt32(truncatingIfNeeded: short))
    case [8, 4, 4, 4, 12]:
      let numbers = parts.compactMap { Hexadecimal.number($0) }
      guard numbers.count == 5 else { return nil }
      self.init(
        high: numbers[0] << 32 | numbers[1] << 16 | numbers[2],
        low: numbers[3] << 48 | numbers[4])
    default: return nil
    }
  }

  /// The bits it takes on the air: 16, 32 or 128.
  public var bitWidth: Int {
    guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh else { return 128 }
    return high >> 48 == 0 ? 16 : 32
  }

  /// The long form in lower case, as BlueZ writes it.
  package var longText: String {
    let digits = Hexadecimal.text(high, digits: 16) + Hexadecimal.text(low, digits: 16)
    var rest = digits.lowercased()[...]
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }
}

extension BluetoothUUID: CustomStringConvertible {
  /// The shortest form, in upper case.
  public var description: String {
    switch bitWidth {
    case 16: Hexadecimal.text(high >> 32, digits: 4)
    case 32: Hexadecimal.text(high >> 32, digits: 8)
    default: longText.uppercased()
    }
  }
}
