internal import MainLoop
internal import ProvisioningAgent
internal import ProvisioningProtocol
internal import WiFi

/// The agent's Wi-Fi, over NetworkManager.
///
/// libnm's client is open while a provisioner is there, and closed while nothing happens.
struct NetworkManagerStation: StationPort {
  /// What NetworkManager can be asked to join.
  static let securities: [ProvisioningProtocol.NetworkSecurity] = [
    .open, .owe, .wpaPSK, .sae, .wpaEAP,
  ]

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
    let outcome = await station.join(NetworkRequest(request.network)) { failure in
      progress(.failing(Reason(failure.reason), AttemptEvidence(failure)))
    } progress: { step in
      progress(.reached(AttemptStep(step)))
    }
    switch outcome {
    case .connected(let link, let saved):
      return JoinResult(.connected(WiFiLink(link), saved: saved))
    case .failed(let failure):
      return JoinResult(.failed(Reason(failure.reason)), evidence: AttemptEvidence(failure))
    case .rolledBack(let failure, let link):
      return JoinResult(
        .rolledBack(Reason(failure.reason), WiFiLink(link)), evidence: AttemptEvidence(failure))
    }
  }

  func scan() async -> Result<VisibleNetworks, RequestFailure> {
    do throws(StationError) {
      return .success(VisibleNetworks(try await station.scan()))
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
