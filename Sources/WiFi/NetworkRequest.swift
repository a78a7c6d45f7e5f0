package import Secrets

/// A network to join, and how.
package struct NetworkRequest: Sendable {
  /// 1 to 32 bytes of any value.
  package var ssid: [UInt8]
  /// Nil or empty for a network without one, and for one with ``login``.
  package var password: SecretBytes?
  /// The kinds of network that may be joined; nil for any that is there.
  package var kinds: Set<NetworkSecurity>?
  /// Whether the network answers only those who know its name.
  package var isHidden: Bool
  /// What an enterprise network asks for.
  package var login: EnterpriseLogin?
  package var ipv4: IPSettings
  package var ipv6: IPSettings
  /// Which of several networks in reach is preferred: the highest.
  package var priority: Int32

  package init(
    ssid: [UInt8], password: SecretBytes? = nil, kinds: Set<NetworkSecurity>? = nil,
    isHidden: Bool = false, login: EnterpriseLogin? = nil, ipv4: IPSettings = .automatic,
    ipv6: IPSettings = .optional, priority: Int32 = 0
  ) {
    self.ssid = ssid
    self.password = password
    self.kinds = kinds
    self.isHidden = isHidden
    self.login = login
    self.ipv4 = ipv4
    self.ipv6 = ipv6
    self.priority = priority
  }

  var hasPassword: Bool { password?.isEmpty == false }
}
