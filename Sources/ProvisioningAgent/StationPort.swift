package import ProvisioningProtocol

/// What the agent needs of Wi-Fi: a station that joins a network.
///
/// Everything is called on the agent's executor, and calls back there.
package protocol StationPort: Sendable {
  /// Begins to follow the device's Wi-Fi, for as long as the port lives.
  ///
  /// - Parameter changed: called with every change, and with the first state soon.
  func start(changed: @escaping @Sendable (StationState) -> Void)

  /// A provisioner came: makes ready what joining needs, so that joining does not wait for it.
  func prepare()

  /// The provisioner is gone: lets go of what joining needed.
  func release()

  /// Joins a network and keeps it, as the only one of that name and security.
  ///
  /// When it fails, nothing of the attempt is left, and the device is in the network that it was in
  /// before, as far as that is possible; when the task is cancelled, it is on its way there.
  ///
  /// - Parameter progress: called with each step that is reached, and as soon as the attempt has
  ///   failed where the device then has to go back; in order, and not after the end.
  func join(
    _ request: ConnectRequest, progress: @escaping @Sendable (AttemptProgress) -> Void
  ) async -> JoinResult

  /// The networks that the device sees, the strongest first; takes seconds where the list is old.
  func scan() async -> Result<VisibleNetworks, RequestFailure>

  /// The networks that the device keeps, the one in use first, the others by their names.
  func savedNetworks() async -> Result<[SavedNetwork], RequestFailure>

  /// Removes what is kept of a network, and disconnects from it.
  ///
  /// - Returns: how many profiles there were.
  func forget(_ ssid: SSID) async -> Result<Int, RequestFailure>
}

/// What is known of the device's Wi-Fi at one moment.
package struct StationState: Equatable, Sendable {
  /// What keeps the device from joining a network; nil when nothing does.
  package var obstacle: Reason?
  /// The connection in use.
  package var link: WiFiLink?
  /// Whether the device has a connection beside Wi-Fi.
  package var hasOtherConnection: Bool
  /// Whether a Wi-Fi network is saved; nil where that cannot be known.
  package var hasSavedNetwork: Bool?

  package init(
    obstacle: Reason? = nil, link: WiFiLink? = nil, hasOtherConnection: Bool = false,
    hasSavedNetwork: Bool? = false
  ) {
    self.obstacle = obstacle
    self.link = link
    self.hasOtherConnection = hasOtherConnection
    self.hasSavedNetwork = hasSavedNetwork
  }
}

/// How an attempt to join ended, and what that was concluded from.
package struct JoinResult: Equatable, Sendable {
  package var result: AttemptResult
  /// Without secrets, for it is logged; nil where there is nothing to tell beside the result.
  package var evidence: AttemptEvidence?

  package init(_ result: AttemptResult, evidence: AttemptEvidence? = nil) {
    self.result = result
    self.evidence = evidence
  }
}
