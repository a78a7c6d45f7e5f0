package import ProvisioningProtocol

/// How a device refuses an operation.
package enum Refusal: Sendable, Equatable {
  /// With an error of the provisioning protocol, or with what it says of itself.
  case reason(Reason)
  /// With a failure in a sealed message, in the device's own words: text from outside.
  case failure(RequestFailure)
  /// With an error of Bluetooth's own: the ATT error code.
  case attribute(UInt8)
  /// It wants a paired, encrypted link.
  case pairingRequired
  /// It did not pair: the passkey is wrong, it refused, or one side has forgotten an older bond.
  case pairingFailed
  /// It shows a passkey to pair with, and nobody typed it.
  case passkeyRequired
}
