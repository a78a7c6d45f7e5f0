/// How a value is written.
public enum WriteType: Sendable, Hashable {
  /// The peripheral answers; a long value goes in parts.
  case withResponse
  /// Nothing is answered, and the value fits into one packet.
  case withoutResponse
}
