internal import ProvisioningProtocol
internal import Secrets
internal import WiFi

extension NetworkRequest {
  /// What the protocol describes, in NetworkManager's terms.
  init(_ network: NetworkDescription) {
    self.init(
      ssid: network.ssid.bytes, password: network.password.bytes, kinds: network.security?.kinds,
      isHidden: network.isHidden, login: network.enterprise.map { EnterpriseLogin($0) },
      ipv4: IPSettings(network.ipv4), ipv6: IPSettings(network.ipv6),
      priority: network.priority ?? 0)
  }
}

extension ProvisioningProtocol.NetworkSecurity {
  /// The kinds that the word names; as the only one that may be joined, `sae` is nothing older.
  fileprivate var kinds: Set<WiFi.NetworkSecurity> {
    switch self {
    case .open: [.open, .oweTransition]
    case .owe: [.owe, .oweTransition]
    case .wpaPSK: [.wpa2, .wpa2WPA3]
    case .sae: [.wpa3]
    case .wpaEAP: [.enterprise]
    }
  }
}

extension EnterpriseLogin {
  fileprivate init(_ credentials: EnterpriseCredentials) {
    let server: ServerCheck =
      if let certificate = credentials.caCertificate {
        .authority(certificate)
      } else if credentials.usesSystemCAs {
        .systemAuthorities
      } else {
        .none
      }
    self.init(
      method: Method(credentials.method), identity: credentials.identity,
      anonymousIdentity: credentials.anonymousIdentity,
      phase2: credentials.phase2.map { Phase2($0) } ?? .mschapv2,
      password: credentials.password.isEmpty ? nil : credentials.password.bytes, server: server,
      domainSuffix: credentials.domainSuffix, clientCertificate: credentials.clientCertificate,
      clientKey: credentials.clientKey)
  }
}

extension EnterpriseLogin.Method {
  fileprivate init(_ method: EAPMethod) {
    self =
      switch method {
      case .peap: .peap
      case .ttls: .ttls
      case .tls: .tls
      }
  }
}

extension EnterpriseLogin.Phase2 {
  fileprivate init(_ method: Phase2Method) {
    self =
      switch method {
      case .mschapv2: .mschapv2
      case .pap: .pap
      case .gtc: .gtc
      }
  }
}

extension IPSettings {
  fileprivate init(_ configuration: IPv4Configuration) {
    self =
      switch configuration {
      case .automatic: .automatic
      case .optional: .optional
      case .off: .off
      case .manual(let address): .manual(Fixed(address))
      }
  }

  fileprivate init(_ configuration: IPv6Configuration) {
    self =
      switch configuration {
      // IPv4 is enough, and many networks have nothing else.
      case .automatic: .optional
      case .off: .off
      case .manual(let address): .manual(Fixed(address))
      }
  }
}

extension IPSettings.Fixed {
  fileprivate init(_ manual: ManualAddress<some InternetAddress>) {
    self.init(
      address: "\(manual.address)", prefixLength: manual.prefixLength,
      gateway: manual.gateway.map { "\($0)" }, nameservers: manual.dns.map { "\($0)" })
  }
}
