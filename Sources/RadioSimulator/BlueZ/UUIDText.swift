/// A UUID as BlueZ writes it, and how long it is on the air.
struct UUIDText: Hashable {
  private static let baseEnd = "-0000-1000-8000-00805f9b34fb"

  /// 36 characters in lower case.
  let text: String

  /// Reads what `bt_string_to_uuid` reads: 4, 8 or 36 characters, with or without `0x` before the
  /// short ones.
  init?(_ given: String) {
    let lower = given.lowercased()
    let short = lower.hasPrefix("0x") ? String(lower.dropFirst(2)) : lower
    switch short.utf8.count {
    case 4 where short.allSatisfy(\.isHexDigit): text = "0000" + short + Self.baseEnd
    case 8 where short.allSatisfy(\.isHexDigit): text = short + Self.baseEnd
    case 36:
      let parts = short.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12],
        parts.allSatisfy({ $0.allSatisfy(\.isHexDigit) })
      else { return nil }
      text = short
    default: return nil
    }
  }

  init(assigned number: UInt16) {
    text = "0000" + hexadecimal(number, digits: 4) + Self.baseEnd
  }

  /// Bytes on the air: 2, 4 or 16.
  var encodedLength: Int {
    guard text.hasSuffix(Self.baseEnd) else { return 16 }
    return text.hasPrefix("0000") ? 2 : 4
  }
}
