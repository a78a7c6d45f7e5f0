/// What a characteristic can be used for (Core Specification, Vol 3, Part G, 3.3.1.1).
public struct CharacteristicProperties: OptionSet, Sendable, Hashable {
  /// The octet of the characteristic declaration.
  public let rawValue: UInt8

  /// The properties of a characteristic declaration.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The value may be broadcast.
  public static let broadcast = Self(rawValue: 0x01)
  /// The value can be read.
  public static let read = Self(rawValue: 0x02)
  /// The value can be written without an answer.
  public static let writeWithoutResponse = Self(rawValue: 0x04)
  /// The value can be written, with an answer.
  public static let write = Self(rawValue: 0x08)
  /// Values are notified without an acknowledgement.
  public static let notify = Self(rawValue: 0x10)
  /// Values are indicated, and acknowledged.
  public static let indicate = Self(rawValue: 0x20)
  /// The value can be written with a signature.
  public static let authenticatedSignedWrites = Self(rawValue: 0x40)
  /// More properties stand in a descriptor.
  public static let extendedProperties = Self(rawValue: 0x80)
}
