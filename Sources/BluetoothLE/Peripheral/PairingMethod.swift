/// How centrals pair with this machine.
public enum PairingMethod: Sendable, Hashable {
  /// Nobody is asked anything: whoever is in reach is paired.
  ///
  /// The link is encrypted, and who listens learns nothing, but neither side knows who the other
  /// one is: there may be somebody in the middle.
  case justWorks
  /// This machine shows six digits, which are typed in at the central.
  ///
  /// ``PeripheralManager/Event/passkey(_:for:)`` has the digits, new ones each time. Centrals that
  /// cannot ask for them are refused. They keep out who cannot see them, in the middle, too.
  case passkey
}
