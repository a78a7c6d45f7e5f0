/// A network for a device to join, as the `provision` method describes it.
package struct NetworkDescription: Equatable, Sendable {
  package var ssid: SSID
  /// The only kind of network to join; nil for whatever the device sees under this name.
  package var security: NetworkSecurity?
  /// Empty for a network without one.
  package var password: WiFiPassword

  package init(ssid: SSID, security: NetworkSecurity? = nil, password: WiFiPassword = .none) {
    self.ssid = ssid
    self.security = security
    self.password = password
  }
}
