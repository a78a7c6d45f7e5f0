/// A network to join, and the number under which its progress and its result are told.
package struct ConnectRequest: Equatable, Sendable {
  /// From 1 to 255, as in the status value.
  package var attempt: UInt8
  package var ssid: SSID
  package var password: WiFiPassword

  package init(attempt: UInt8, ssid: SSID, password: WiFiPassword) {
    self.attempt = attempt
    self.ssid = ssid
    self.password = password
  }
}
