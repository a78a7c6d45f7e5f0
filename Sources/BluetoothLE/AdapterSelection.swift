/// Which Bluetooth adapter a manager uses.
public enum AdapterSelection: Sendable, Hashable, CustomStringConvertible {
  /// The first one that can take the role.
  case any
  /// The one with this name, such as `hci0`.
  case named(String)
  /// The one with this address, whatever its name.
  case address(BluetoothAddress)

  /// Reads `hciN` or an address, as a person writes it; nil for anything else.
  public init?(_ text: String) {
    if let address = BluetoothAddress(text) {
      self = .address(address)
    } else if text.hasPrefix("hci"), text.utf8.count > 3,
      text.utf8.dropFirst(3).allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    {
      self = .named(text)
    } else {
      return nil
    }
  }

  /// The selection, for a sentence.
  public var description: String {
    switch self {
    case .any: "any adapter"
    case .named(let name): name
    case .address(let address): address.description
    }
  }
}
