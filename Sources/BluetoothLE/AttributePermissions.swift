/// What a link must be before a central may read or write a characteristic's value.
///
/// Whether it may at all is said by the properties. Notifications, and switching them on, need
/// nothing.
public struct AttributePermissions: OptionSet, Sendable, Hashable {
  /// The bits: those that Core Bluetooth has, too, are the same there.
  public let rawValue: UInt8

  /// The permissions with these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Reading needs an encrypted link, as any pairing gives one.
  public static let readEncryptionRequired = Self(rawValue: 0x04)
  /// Writing needs an encrypted link, as any pairing gives one.
  public static let writeEncryptionRequired = Self(rawValue: 0x08)
  /// Reading needs a link whose pairing kept out a man in the middle, with a passkey for instance.
  public static let readAuthenticationRequired = Self(rawValue: 0x10)
  /// Writing needs a link whose pairing kept out a man in the middle, with a passkey for instance.
  public static let writeAuthenticationRequired = Self(rawValue: 0x20)
}
