internal import DBus
internal import MainLoop

extension SimulatedNetworkManager {
  /// Takes the device from disconnected to activated, or to where it fails.
  func goUp(_ profile: ObjectPath, _ wanted: ObjectPath?) async throws {
    try await pass(.milliseconds(20), to: .prepare)
    try await pass(.milliseconds(20), to: .config)
    let keyManagement = profiles[profile]?.keyManagement
    if keyManagement != nil {
      // Every protected activation asks for the profile's own secrets once.
      try await pass(.milliseconds(10), to: .needAuthentication)
      let length = profiles[profile]?.password?.utf8.count ?? 0
      let isUsable = keyManagement == "owe" || length >= 8 || (keyManagement == "sae" && length > 0)
      guard isUsable else { return fail(.noSecrets) }
      try await pass(.milliseconds(10), to: .prepare)
      try await pass(.milliseconds(20), to: .config)
    }
    let point = visible.first { $0.path == wanted } ?? accessPoint(for: profile)
    guard let point, isOnAir(point.point), !point.point.refusesStations,
      point.accepts(keyManagement: keyManagement)
    else {
      let refuses = point.map { isOnAir($0.point) && $0.point.refusesStations } ?? false
      try await repeatUntilTimeout { manager in
        guard refuses else { return manager.tell(state: "scanning") }
        manager.tell(state: "authenticating")
        manager.tell(state: "disconnected", authentication: 1)
      }
      if let point, !isOnAir(point.point) { forgetAccessPoint(point) }
      return fail(.ssidNotFound)
    }
    if point.needsPassword, profiles[profile]?.password != point.point.password {
      return try await refusePassword(profile, point)
    }
    try await associate(point)
    if keyManagement != nil {
      tell(state: "4way_handshake")
      try await loop.sleep(for: time(.milliseconds(200)))
    }
    tell(state: "completed")
    try await loop.sleep(for: time(.milliseconds(50)))
    device.activeAccessPoint = point.path
    wirelessChanged(["ActiveAccessPoint"])
    try await pass(.zero, to: .ipConfig)
    guard point.point.hasDHCP else {
      try await loop.sleep(for: time(.seconds(45)))
      return fail(.ipConfigUnavailable)
    }
    try await loop.sleep(for: time(.milliseconds(800)))
    addAddress()
    try await pass(.zero, to: .ipCheck)
    try await pass(.milliseconds(10), to: .secondaries)
    try await pass(.milliseconds(10), to: .activated)
    setActive(.activated, .none)
    uses += 1
    profiles[profile]?.lastUse = uses
    profiles[profile]?.failures = 0
  }

  /// A wrong password, as each kind of network shows it.
  private func refusePassword(_ profile: ObjectPath, _ point: VisibleAccessPoint) async throws {
    switch point.point.security {
    case .open, .owe, .wpa2:
      try await associate(point)
      tell(state: "4way_handshake")
      try await loop.sleep(for: time(.seconds(1)))
      tell(state: "disconnected", disconnection: 15)
      try await loop.sleep(for: time(.seconds(4)))
      // NetworkManager forgets the secrets and asks for others; there is no agent that has any.
      setDevice(.needAuthentication, .supplicantDisconnected)
      try await loop.sleep(for: time(.milliseconds(10)))
      fail(.noSecrets)
    case .wpa2AndWPA3:
      try await repeatUntilTimeout { $0.refuseSAE() }
      setDevice(.needAuthentication, .none)
      try await loop.sleep(for: time(.milliseconds(10)))
      fail(.noSecrets)
    case .wpa3:
      // wpa_supplicant never gets as far as associating.
      try await repeatUntilTimeout { $0.refuseSAE() }
      fail(.ssidNotFound)
    }
  }

  private func associate(_ point: VisibleAccessPoint) async throws {
    try await loop.sleep(for: time(.milliseconds(100)))
    tell(state: "authenticating")
    try await loop.sleep(for: time(.milliseconds(100)))
    if point.usesSAE { tell(authentication: 0) }
    tell(state: "associating", authentication: 0)
    try await loop.sleep(for: time(.milliseconds(100)))
    tell(state: "associated", association: 0)
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

  private func pass(_ duration: Duration, to state: DeviceState) async throws {
    try await loop.sleep(for: time(duration))
    setDevice(state, .none)
  }

  private func addAddress() {
    let path = newPath("IP4Config")
    export(path, [Self.ip4Interface])
    device.ip4Config = path
    if let device = device.path {
      changed(device, NetworkManagerName.Interface.device, ["Ip4Config"])
    }
    if let active { changed(active.path, NetworkManagerName.Interface.active, ["Ip4Config"]) }
  }

  private static let ip4Interface = Interface(
    NetworkManagerName.Interface.ip4Config,
    properties: [
      Property(
        "AddressData",
        .array(
          element: .dictionary(key: .string, value: .variant),
          [.properties(["address": .string("192.0.2.23"), "prefix": .uint32(24)])])),
      Property("Gateway", .string("192.0.2.1")),
      Property(
        "NameserverData",
        .array(
          element: .dictionary(key: .string, value: .variant),
          [.properties(["address": .string("192.0.2.1")])])),
      Property("Domains", .strings([])),
      Property("Searches", .strings([])),
      Property("DnsOptions", .strings([])),
      Property("DnsPriority", .int32(100)),
    ])
}
