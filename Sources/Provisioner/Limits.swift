package import ProvisioningProtocol

/// How long the provisioner waits, for what.
package struct Limits: Sendable, Equatable {
  /// From the start of the search to the device's first advertisement.
  package var search: Duration
  /// The same for a device whose link broke while it tries to join.
  package var secondSearch: Duration
  /// From the first device with the wanted name to the last advertisement that is looked at for
  /// a second one: the kernel advertises every 1.28 s where nothing else is configured.
  package var nameSettling: Duration
  /// One attempt to connect and to learn what the device offers.
  package var connection: Duration
  /// One read, write or subscription, and the device's attempt.
  package var session: ProvisionerSession.Limits
  /// The whole command; nil for no other limits than those above.
  package var total: Duration?

  /// The limits that hold where nobody sets others.
  package static let standard = Limits(
    search: .seconds(20), secondSearch: .seconds(10), nameSettling: .seconds(3),
    connection: .seconds(20),
    session: ProvisionerSession.Limits(), total: nil)
}
