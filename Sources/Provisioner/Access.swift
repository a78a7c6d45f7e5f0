package import ProvisioningProtocol

/// How a device is made to take a network.
package enum Access: Sendable {
  /// By proving its setup code, in a sealed session.
  case code(CodeSource)
  /// By plain writes: everybody in reach can read the password, and answer in the device's place.
  case insecure
}

/// Gives the setup code of a device that is connected and wants it, which may take a person's time.
///
/// A ``ProvisionerError`` ends the command as it is, another error as
/// ``ProvisionerError/cancelled``.
package typealias CodeSource = @Sendable (DeviceInformation) async throws -> SetupCode
