/// A network to join, and the number under which its progress and its result are told.
package struct ConnectRequest: Equatable, Sendable {
  /// From 1 to 255, as in the status value.
  package var attempt: UInt8
  /// Its parts belong together where it came in a sealed message; a plain password is not yet
  /// checked against the network.
  package var network: NetworkDescription

  package init(attempt: UInt8, network: NetworkDescription) {
    self.attempt = attempt
    self.network = network
  }
}
