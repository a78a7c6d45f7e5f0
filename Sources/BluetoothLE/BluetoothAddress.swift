/// The 48-bit address of a Bluetooth device.
public struct BluetoothAddress: Sendable, Hashable, CustomStringConvertible {
  /// The six bytes, in the order in which they are written.
  public let bytes: [UInt8]

  /// Reads `AA:BB:CC:DD:EE:FF` in either case; nil for anything else.
  public init?(_ text: some StringProtocol) {
    self.init(text, separator: UInt8(ascii: ":"))
  }

  init?(_ text: some StringProtocol, separator: UInt8) {
    let parts = text.utf8.split(separator: separator, omittingEmptySubsequences: false)
    let bytes = parts.compactMap { part in
      part.count == 2 ? Hexadecimal.number(part).map { UInt8(truncatingIfNeeded: $0) } : nil
    }
    guard parts.count == 6, bytes.count == 6 else { return nil }
    self.bytes = bytes
  }

  /// `AA:BB:CC:DD:EE:FF`.
  public var description: String { text(separator: ":") }

  func text(separator: String) -> String {
    bytes.map { Hexadecimal.text($0, digits: 2) }.joined(separator: separator)
  }
}
