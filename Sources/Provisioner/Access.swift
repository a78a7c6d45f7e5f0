/// How a device is made to take a network.
package enum Access: Sendable {
  /// By proving its setup code, in a sealed session.
  case code(GivenCode)
  /// By plain writes: everybody in reach can read the password, and answer in the device's place.
  case insecure
}
