internal import MainLoop
internal import ProvisioningAgent
internal import ProvisioningProtocol
internal import WiFi

/// The agent's Wi-Fi, over NetworkManager.
///
/// libnm's client is open while a provisioner is there, and closed while nothing happens.
struct NetworkManagerStation: StationPort {
  /// What NetworkManager can be asked to join.
  static let securities: [ProvisioningProtocol.NetworkSecurity] = [.open, .owe, .wpaPSK, .sae]

  private let station: Station
  private var loop: MainLoop { station.loop }

  init(_ station: Station) { self.station = station }

  func start(changed: @escaping @Sendable (StationState) -> Void) {
    Task(executorPreference: loop) {
      do {
        try await station.start { changed(StationState($0)) }
      } catch {
        // The bus itself is gone, and with it the daemon.
        changed(StationState(obstacle: .internalError))
      }
    }
  }

  func prepare() {
    // Joining opens the client again where this fails, and says why.
    Task(executorPreference: loop) { try? await station.open() }
  }

  func release() { Task(executorPreference: loop) { await station.close() } }

  func join(
    _ request: ConnectRequest, progress: @escaping @Sendable (AttemptProgress) -> Void
  ) async -> JoinResult {
    let network = request.network
    let plain = NetworkDescription(
      ssid: network.ssid, security: network.security, password: network.password)
    // Joined in another way than was asked for, it would be another network.
    guard network == plain else { return JoinResult(.failed(.unsupported)) }
    let outcome = await station.join(
      ssid: network.ssid.bytes, password: network.password.bytes, among: network.security?.kinds
    ) { progress(.reached(AttemptStep($0))) }
    switch outcome {
    case .connected(let link, let saved):
      return JoinResult(.connected(WiFiLink(link), saved: saved))
    case .failed(let failure):
      return JoinResult(
        .failed(Reason(failure.reason)),
        evidence: AttemptEvidence(
          summary: failure.message,
          states: failure.evidence.transitions.map {
            DeviceStateChange(state: $0.state, reason: $0.reason)
          }))
    }
  }

  func scan() async -> Result<VisibleNetworks, RequestFailure> {
    do throws(StationError) {
      let networks = try await station.scan()
      return .success(VisibleNetworks(networks: networks.compactMap { VisibleNetwork($0) }))
    } catch {
      return .failure(RequestFailure(error))
    }
  }

  func savedNetworks() async -> Result<[ProvisioningProtocol.SavedNetwork], RequestFailure> {
    do throws(StationError) {
      return .success(
        try await station.savedNetworks().compactMap { ProvisioningProtocol.SavedNetwork($0) })
    } catch {
      return .failure(RequestFailure(error))
    }
  }

  func forget(_ ssid: SSID) async -> Result<Int, RequestFailure> {
    do throws(StationError) {
      return .success(try await station.forget(ssid: ssid.bytes))
    } catch {
      return .failure(RequestFailure(error))
    }
  }
}

extension ProvisioningProtocol.NetworkSecurity {
  /// Nil for a kind without a word in the protocol.
  fileprivate init?(_ security: WiFi.NetworkSecurity) {
    switch security {
    case .open: self = .open
    case .owe: self = .owe
    case .wpa2, .wpa2WPA3: self = .wpaPSK
    case .wpa3: self = .sae
    case .enterprise: self = .wpaEAP
    case .wep: return nil
    }
  }

  /// The kinds that the word names; as the only one that may be joined, `sae` is nothing older.
  fileprivate var kinds: Set<WiFi.NetworkSecurity> {
    switch self {
    case .open: [.open]
    case .owe: [.owe]
    case .wpaPSK: [.wpa2, .wpa2WPA3]
    case .sae: [.wpa3]
    case .wpaEAP: [.enterprise]
    }
  }
}

extension RequestFailure {
  fileprivate init(_ error: StationError) { self.init(Reason(error.reason)) }
}

extension VisibleNetwork {
  /// Nil for a network that does not tell its name.
  fileprivate init?(_ network: WirelessNetwork) {
    guard let ssid = try? SSID(network.ssid) else { return nil }
    self.init(
      ssid: ssid, security: ProvisioningProtocol.NetworkSecurity(network.security),
      rssi: network.signal, accessPointCount: UInt32(clamping: network.accessPointCount))
  }
}

extension ProvisioningProtocol.SavedNetwork {
  /// Nil for a network whose name is none.
  fileprivate init?(_ network: WiFi.SavedNetwork) {
    guard let ssid = try? SSID(network.ssid) else { return nil }
    self.init(
      ssid: ssid,
      security: network.security.flatMap { ProvisioningProtocol.NetworkSecurity($0) },
      isInUse: network.isInUse, connectsAutomatically: network.connectsAutomatically)
  }
}

extension StationState {
  fileprivate init(_ snapshot: StationSnapshot) {
    let obstacle: Reason? =
      switch snapshot.availability {
      case .networkManagerNotRunning: .networkManagerNotRunning
      case .noDevice, .unavailable: .noWiFiDevice
      case .notManaged: .wiFiDeviceNotManaged
      case .radioBlocked: .radioBlocked
      case .available: nil
      }
    self.init(obstacle: obstacle, link: snapshot.link.map { WiFiLink($0) })
  }
}

extension WiFiLink {
  fileprivate init(_ link: StationSnapshot.Link) {
    self.init(
      ipv4: link.address.flatMap { ProvisioningProtocol.IPv4Address(bytes: $0.bytes) },
      rssi: link.signal,
      connectivity: ProvisioningProtocol.Connectivity(rawValue: link.connectivity.rawValue),
      ssid: try? SSID(link.ssid))
  }
}

extension AttemptStep {
  fileprivate init(_ progress: JoinProgress) {
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
  fileprivate init(_ reason: JoinFailure.Reason) {
    self =
      switch reason {
      case .ssidLength: .ssidLength
      case .passwordFormat: .passwordFormat
      case .networkNotFound: .networkNotFound
      case .wrongPassword: .wrongPassword
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
