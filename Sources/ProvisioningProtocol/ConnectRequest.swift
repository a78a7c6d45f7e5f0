/// A network to join, and the number under which its progress and its result are told.
package struct ConnectRequest: Equatable, Sendable {
  /// From 1 to 255, as in the status value.
  package var attempt: UInt8
  /// The network's name.
  package var ssid: SSID
  /// Empty for a network without one; not yet checked against the network.
  package var password: WiFiPassword
  /// The only kind of network to join; nil for whatever the device sees under this name.
  package var security: NetworkSecurity?

  package init(
    attempt: UInt8, ssid: SSID, password: WiFiPassword, security: NetworkSecurity? = nil
  ) {
    self.attempt = attempt
    self.ssid = ssid
    self.password = password
    self.security = security
  }
}
