internal import DBus
internal import Glibc
internal import MainLoop

extension SimulatedNetworkManager {
  /// Takes the device from disconnected to activated, or to where it fails.
  func goUp(_ path: ObjectPath, _ wanted: ObjectPath?) async throws {
    try await pass(.milliseconds(20), to: .prepare)
    try await pass(.milliseconds(20), to: .config)
    guard let profile = profiles[path] else { return }
    if profile.keyManagement != nil {
      // Every protected activation asks for the profile's own secrets once.
      try await pass(.milliseconds(10), to: .needAuthentication)
      // Nor does it give them to settings that are not the profile's any more.
      guard profile.hasSecrets, active?.applied == profile.settings else {
        return fail(.noSecrets)
      }
      try await pass(.milliseconds(10), to: .prepare)
      try await pass(.milliseconds(20), to: .config)
      // wpa_supplicant is built without WEP.
      if profile.keyManagement == "none" { return fail(.supplicantConfigFailed) }
    }
    guard let point = partner(of: profile, wanted), isOnAir(point.point) else {
      try await repeatUntilTimeout { $0.tell(state: "scanning") }
      forgetSilentAccessPoints()
      return fail(.ssidNotFound)
    }
    active?.partner = point.path
    guard try await authenticate(profile, at: point) else { return }
    active?.isLetIn = true
    tell(state: "completed")
    try await loop.sleep(for: time(.milliseconds(50)))
    device.activeAccessPoint = point.path
    wirelessChanged(["ActiveAccessPoint"])
    try await pass(.zero, to: .ipConfig)
    guard try await configureAddresses(profile, at: point.point) else { return }
    try await pass(.zero, to: .ipCheck)
    try await pass(.milliseconds(10), to: .secondaries)
    try await pass(.milliseconds(10), to: .activated)
    setActive(.activated, .none)
    uses += 1
    profiles[path]?.lastUse = uses
    profiles[path]?.timestamp = UInt64(clamping: Glibc.time(nil))
    profiles[path]?.failures = 0
  }

  private func partner(of profile: SimulatedProfile, _ wanted: ObjectPath?)
    -> VisibleAccessPoint?
  {
    if let point = visible.first(where: { $0.path == wanted }), point.accepts(profile),
      point.ssid == profile.ssid
    {
      return point
    }
    if let point = accessPoint(for: profile) { return point }
    guard profile.isHidden else { return nil }
    // It is asked for by its name, and answers.
    reveal([profile.ssid])
    return accessPoint(for: profile)
  }

  func pass(_ duration: Duration, to state: DeviceState) async throws {
    try await loop.sleep(for: time(duration))
    setDevice(state, .none)
  }

  // MARK: - Being let in

  /// Associates and proves what has to be proven.
  ///
  /// - Returns: whether the access point lets the device in; otherwise the activation has failed.
  private func authenticate(_ profile: SimulatedProfile, at point: VisibleAccessPoint)
    async throws -> Bool
  {
    if point.point.refusesStations || (point.usesSAE(with: profile) && point.point.failsSAE) {
      try await repeatUntilTimeout { $0.refuseAuthentication() }
      fail(.ssidNotFound)
      return false
    }
    if let network = point.point.enterprise {
      guard try await authenticate(profile, at: network) else { return false }
    } else if point.point.security.hasPassword, profile.password != point.point.password {
      try await refusePassword(of: profile, at: point)
      return false
    } else {
      try await associate()
    }
    if profile.keyManagement != nil {
      tell(state: "4way_handshake")
      try await loop.sleep(for: time(.milliseconds(200)))
    }
    return true
  }

  private func associate() async throws {
    try await loop.sleep(for: time(.milliseconds(100)))
    tell(state: "authenticating")
    try await loop.sleep(for: time(.milliseconds(100)))
    tell(state: "associating", authentication: 0)
    active?.hasAssociated = true
    try await loop.sleep(for: time(.milliseconds(100)))
    tell(state: "associated", association: 0)
  }

  /// A wrong password, as each kind of network shows it.
  private func refusePassword(of profile: SimulatedProfile, at point: VisibleAccessPoint)
    async throws
  {
    guard point.usesSAE(with: profile) else {
      try await associate()
      tell(state: "4way_handshake")
      try await loop.sleep(for: time(.seconds(1)))
      tell(state: "disconnected", disconnection: 15)
      try await loop.sleep(for: time(.seconds(4)))
      // NetworkManager forgets the secrets and asks for others; there is no agent that has any.
      return try await askForSecrets(.supplicantDisconnected)
    }
    try await repeatUntilTimeout { $0.refuseSAE() }
    if point.point.security == .wpa3 {
      // wpa_supplicant never gets as far as associating.
      fail(.ssidNotFound)
    } else {
      try await askForSecrets(.none)
    }
  }

  /// NetworkManager asks for other secrets, and there is no agent that has any.
  func askForSecrets(_ reason: DeviceStateReason) async throws {
    setDevice(.needAuthentication, reason)
    try await loop.sleep(for: time(.milliseconds(10)))
    fail(.noSecrets)
  }

  private func refuseAuthentication() {
    tell(state: "authenticating")
    tell(state: "disconnected", authentication: 1)
  }

  private func refuseSAE() {
    tell(state: "authenticating", authentication: 0)
    tell(state: "disconnected", authentication: 1)
  }

  /// What wpa_supplicant does again and again until NetworkManager gives up.
  private func repeatUntilTimeout(
    _ body: (isolated SimulatedNetworkManager) -> Void
  ) async throws {
    try await loop.sleep(for: time(.milliseconds(200)))
    for _ in 0..<8 {
      body(self)
      try await loop.sleep(for: time(.seconds(3)))
    }
  }

  // MARK: - With an authentication server

  private func authenticate(_ profile: SimulatedProfile, at network: EnterpriseNetwork)
    async throws -> Bool
  {
    let outcome = EnterpriseCredentials(profile).outcome(at: network)
    if outcome.isAccepted {
      try await speak(outcome)
      return true
    }
    // wpa_supplicant tries again and again, and NetworkManager each time that it gives up.
    for round in 1...3 {
      for _ in 0..<8 {
        try await speak(outcome)
        tell(state: "disconnected", disconnection: 23)
        try await loop.sleep(for: time(.seconds(3)))
      }
      if round == 3 { break }
      setDevice(.needAuthentication, .none)
      try await pass(.milliseconds(10), to: .prepare)
      try await pass(.milliseconds(20), to: .config)
    }
    try await askForSecrets(.none)
    return false
  }

  private func speak(_ outcome: EnterpriseCredentials.Outcome) async throws {
    try await associate()
    for (status, parameter) in outcome.reports {
      tellEAP(status, parameter)
      try await loop.sleep(for: time(.milliseconds(20)))
    }
  }

  // MARK: - Losing the link

  /// Follows what becomes of an activation whose access point is not heard any more.
  func loseLink() {
    guard let active, active.state != .deactivating, let partner = active.partner,
      let point = visible.first(where: { $0.path == partner }), !isOnAir(point.point)
    else { return }
    active.steps?.cancel()
    self.active?.steps = Task(executorPreference: loop) {
      do {
        try await self.endWithoutLink(point.point)
      } catch {
        // Something else has become of it meanwhile.
      }
    }
  }

  private func endWithoutLink(_ point: SimulatedAccessPoint) async throws {
    if active?.isLetIn == true, device.state == .config { setDevice(.ipConfig, .none) }
    try await loop.sleep(for: time(.seconds(1)))
    // Disassociated for inactivity, by the station itself.
    tell(state: "disconnected", disconnection: -4)
    switch device.state {
    case .activated:
      for _ in 0..<15 {
        try await loop.sleep(for: time(.seconds(1)))
        if isOnAir(point) {
          tell(state: "completed")
          return
        }
        tell(state: "scanning")
      }
      forgetSilentAccessPoints()
      fail(.ssidNotFound)
    case .ipConfig, .ipCheck, .secondaries:
      try await loop.sleep(for: time(.seconds(45)))
      forgetSilentAccessPoints()
      fail(.ipConfigUnavailable)
    default:
      try await repeatUntilTimeout { $0.tell(state: "scanning") }
      forgetSilentAccessPoints()
      guard active?.hasAssociated == true else { return fail(.ssidNotFound) }
      let isProtected = active.flatMap { profiles[$0.profile]?.keyManagement } != nil
      if isProtected { try await askForSecrets(.none) } else { fail(.supplicantTimedOut) }
    }
  }

  private func forgetSilentAccessPoints() {
    for point in visible where !isOnAir(point.point) { forgetAccessPoint(point) }
    accessPointsChanged()
  }
}
