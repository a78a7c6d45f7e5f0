/// A way of exchanging data that a device accepts, by its word in the device information.
package enum ProvisioningProfile: String, CaseIterable, Sendable {
  /// Plain writes, from anyone in reach.
  case plain
  /// Plain writes, over a paired and encrypted link.
  case plainLink = "plain-link"
  /// Sealed messages after a proof of the setup code.
  case secure
}
