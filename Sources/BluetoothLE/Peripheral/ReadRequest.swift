/// A central wants the value of a characteristic.
public struct ReadRequest: Sendable, Hashable {
  /// Nil where the Bluetooth service does not say who asks.
  public let central: Central?
  /// Where the part of the value begins that is asked for: above 0 in the course of a long read.
  public let offset: Int
  /// The connection's MTU in bytes, where it is known.
  public let mtu: Int?
}
