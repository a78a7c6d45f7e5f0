/// A network for a device to join, as the `provision` method describes it.
package struct NetworkDescription: Equatable, Sendable {
  package var ssid: SSID
  /// The only kind of network to join; nil for whatever the device sees under this name.
  package var security: NetworkSecurity?
  /// Empty for a network without one, and for one with `enterprise`.
  package var password: WiFiPassword
  /// Whether the network keeps its name to itself until it is asked for it.
  package var isHidden: Bool
  /// With 802.1X: who the device is, and whom it believes.
  package var enterprise: EnterpriseCredentials?
  package var ipv4: IPv4Configuration
  package var ipv6: IPv6Configuration
  /// Which of several networks in reach the device prefers: the highest; nil for the usual, 0.
  package var priority: Int32?

  package init(
    ssid: SSID, security: NetworkSecurity? = nil, password: WiFiPassword = .none,
    isHidden: Bool = false, enterprise: EnterpriseCredentials? = nil,
    ipv4: IPv4Configuration = .automatic, ipv6: IPv6Configuration = .automatic,
    priority: Int32? = nil
  ) {
    self.ssid = ssid
    self.security = security
    self.password = password
    self.isHidden = isHidden
    self.enterprise = enterprise
    self.ipv4 = ipv4
    self.ipv6 = ipv6
    self.priority = priority
  }

  /// What a person should know before such a network is trusted.
  package var risks: [Risk] {
    enterprise?.skipsValidation == true ? [.serverNotValidated] : []
  }

  /// Checks that its parts belong together.
  ///
  /// Whether the network is like this, only the device finds out.
  package func check() throws(NetworkDescriptionError) {
    if let enterprise {
      guard (security ?? .wpaEAP) == .wpaEAP else { throw .enterpriseUnexpected }
      guard password.isEmpty else { throw .passwordBesideEnterprise }
      try enterprise.check()
    } else if let security {
      guard security != .wpaEAP else { throw .enterpriseMissing }
      do throws(WiFiPassword.FormatError) {
        try password.check(for: security)
      } catch {
        throw .password(error)
      }
    }
    if case .manual(let address) = ipv4 { try address.check() }
    if case .manual(let address) = ipv6 { try address.check() }
    if ipv4 == .off, ipv6 == .off { throw .noAddresses }
    if let priority {
      guard Self.priorities.contains(priority) else { throw .priority }
    }
    let length = encodedLength
    guard length <= Self.maximumLength else { throw .tooLong(length) }
  }

  /// What NetworkManager takes.
  package static let priorities: ClosedRange<Int32> = -999...999
}
