/// A central writes the value of a characteristic.
public struct WriteRequest: Sendable, Hashable {
  /// The bytes; those of a long write come at once.
  public let value: [UInt8]
  /// Nil where the Bluetooth service does not say who writes.
  public let central: Central?
  /// Where in the characteristic's value the bytes belong; 0 but for odd centrals.
  public let offset: Int
  /// The connection's MTU in bytes, where it is known.
  public let mtu: Int?
}
