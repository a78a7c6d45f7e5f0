internal import ProvisioningAgent
internal import ProvisioningProtocol
internal import WiFi

extension ProvisioningProtocol.NetworkSecurity {
  /// Nil for a kind without a word in the protocol.
  init?(_ security: WiFi.NetworkSecurity) {
    switch security {
    case .open: self = .open
    case .owe, .oweTransition: self = .owe
    case .wpa2, .wpa2WPA3: self = .wpaPSK
    case .wpa3: self = .sae
    case .enterprise: self = .wpaEAP
    case .wep, .enterprise192: return nil
    }
  }
}

extension RequestFailure {
  init(_ error: StationError) { self.init(Reason(error.reason)) }
}

extension VisibleNetworks {
  init(_ result: ScanResult) {
    self.init(
      networks: result.networks.compactMap { VisibleNetwork($0) },
      age: result.age.map { UInt32(clamping: $0.components.seconds) } ?? 0,
      hiddenCount: UInt32(clamping: result.hiddenCount))
  }
}

extension VisibleNetwork {
  /// Nil for a network that does not tell its name.
  init?(_ network: WirelessNetwork) {
    guard let ssid = try? SSID(network.ssid) else { return nil }
    self.init(
      ssid: ssid, security: ProvisioningProtocol.NetworkSecurity(network.security),
      rssi: network.signal, accessPointCount: UInt32(clamping: network.accessPointCount),
      bands: Set(network.frequencies.compactMap(WiFiBand.init)).sorted(),
      isKnown: network.isKnown)
  }
}

extension ProvisioningProtocol.SavedNetwork {
  /// Nil for a network whose name is none.
  init?(_ network: WiFi.SavedNetwork) {
    guard let ssid = try? SSID(network.ssid) else { return nil }
    self.init(
      ssid: ssid,
      security: network.security.flatMap { ProvisioningProtocol.NetworkSecurity($0) },
      isInUse: network.isInUse, connectsAutomatically: network.connectsAutomatically)
  }
}

extension StationState {
  init(_ snapshot: StationSnapshot) {
    let obstacle: Reason? =
      switch snapshot.availability {
      case .networkManagerNotRunning: .networkManagerNotRunning
      case .noDevice, .unavailable: .noWiFiDevice
      case .notManaged: .wiFiDeviceNotManaged
      case .radioBlocked: .radioBlocked
      case .available: nil
      }
    self.init(
      obstacle: obstacle, link: snapshot.link.map { WiFiLink($0) },
      hasOtherConnection: snapshot.hasOtherConnection, hasSavedNetwork: snapshot.hasSavedNetwork)
  }
}

extension WiFiLink {
  init(_ link: StationSnapshot.Link) {
    self.init(
      ipv4: link.address.flatMap { ProvisioningProtocol.IPv4Address(bytes: $0.bytes) },
      rssi: link.signal,
      connectivity: ProvisioningProtocol.Connectivity(rawValue: link.connectivity.rawValue),
      ssid: try? SSID(link.ssid),
      details: LinkDetails(
        frequency: link.frequency, ipv6: link.ipv6Addresses.compactMap { IPv6Address($0) },
        gateways: link.gateways.compactMap { IPAddress($0) },
        dns: link.nameservers.compactMap { IPAddress($0) }))
  }
}

extension AttemptEvidence {
  init(_ failure: JoinFailure) {
    let evidence = failure.evidence
    self.init(
      summary: failure.message,
      security: evidence.security.flatMap { ProvisioningProtocol.NetworkSecurity($0) },
      rssi: evidence.signal, frequency: evidence.frequency,
      states: evidence.transitions.map { DeviceStateChange(state: $0.state, reason: $0.reason) },
      supplicant: evidence.supplicant)
  }
}

extension AttemptStep {
  init(_ progress: JoinProgress) {
    self =
      switch progress {
      case .preparing: .preparing
      case .associating: .associating
      case .authenticating: .authenticating
      case .obtainingAddress: .obtainingAddress
      case .checkingConnectivity: .checkingConnectivity
      }
  }
}

extension Reason {
  init(_ reason: JoinFailure.Reason) {
    self =
      switch reason {
      case .ssidLength: .ssidLength
      case .passwordFormat: .passwordFormat
      case .networkNotFound: .networkNotFound
      case .hiddenNetworkSilent: .hiddenNetworkSilent
      case .wrongPassword: .wrongPassword
      case .loginRefused: .enterpriseRefused
      case .outOfRange: .outOfRange
      case .accessPointRefused: .accessPointRefused
      case .superseded: .superseded
      case .rejected: .rejected
      case .noAddress: .noAddress
      case .addressConflict: .addressConflict
      case .timedOut: .timedOut
      case .securityNotSupported: .securityNotSupported
      case .radioBlocked: .radioBlocked
      case .noDevice: .noWiFiDevice
      case .deviceNotManaged: .wiFiDeviceNotManaged
      case .networkManagerNotRunning: .networkManagerNotRunning
      case .permissionDenied: .permissionDenied
      case .cancelled: .cancelled
      case .busy, .internalError: .internalError
      }
  }
}
