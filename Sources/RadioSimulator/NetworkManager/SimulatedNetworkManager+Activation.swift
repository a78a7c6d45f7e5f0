internal import DBus
internal import MainLoop

extension SimulatedNetworkManager {
  // MARK: - Requests

  func activateConnection(_ call: MethodCall) -> MethodOutcome {
    guard let profile = call.arguments[0].asObjectPath, profiles[profile] != nil else {
      return .error(
        BusError(
          name: NetworkManagerName.Failure.unknownConnection,
          message: "Connection could not be found."))
    }
    switch checkDevice(call.arguments[1].asObjectPath) {
    case .failure(let error): return .error(error)
    case .success: break
    }
    profiles[profile]?.isBlocked = false
    let point = visible.first { $0.path == call.arguments[2].asObjectPath }
    return .reply([.objectPath(activate(profile, at: (point ?? accessPoint(for: profile))?.path))])
  }

  /// `AddAndActivateConnection` and its successor with options.
  func addAndActivate(_ call: MethodCall, options: [String: Value])
    -> Result<(ObjectPath, ObjectPath), BusError>
  {
    guard var settings = SimulatedProfile.Settings(call.arguments[0]) else {
      return .failure(.invalidArguments("no settings"))
    }
    for name in options.keys where name != "persist" && name != "bind-activation" {
      return .failure(
        BusError(
          name: NetworkManagerName.Failure.invalidArguments,
          message: "Unknown extra option passed"))
    }
    let persist = options["persist"]?.asString ?? "disk"
    if case .failure(let error) = checkDevice(call.arguments[1].asObjectPath) {
      return .failure(error)
    }
    let wanted = call.arguments[2].asObjectPath ?? .root
    let point = visible.first { $0.path == wanted }
    if wanted != .root, point == nil {
      return .failure(
        BusError(
          name: NetworkManagerName.Failure.accessPointUnknown,
          message: "The access point \(wanted) was not in the scan list."))
    }
    complete(&settings, for: point)
    if let error = objection(to: settings) ?? mismatch(settings, point) { return .failure(error) }
    if persist == "disk", diskIsReadOnly { return .failure(Self.readOnly) }
    let profile = keep(
      SimulatedProfile(
        settings: settings, isVolatile: persist == "volatile", isSaved: persist == "disk"))
    return .success((profile, activate(profile, at: point?.path)))
  }

  private func checkDevice(_ path: ObjectPath?) -> Result<Void, BusError> {
    guard let own = device.path, path == own || path == .root else {
      return .failure(
        BusError(name: NetworkManagerName.Failure.unknownDevice, message: "Device not found"))
    }
    guard device.state.rawValue >= DeviceState.disconnected.rawValue else {
      return .failure(
        BusError(
          name: NetworkManagerName.Failure.notAvailable,
          message: "The device is not available for a connection."))
    }
    return .success(())
  }

  /// Fills in what the caller left out, as NetworkManager does.
  private func complete(_ settings: inout SimulatedProfile.Settings, for point: VisibleAccessPoint?)
  {
    typealias Name = NetworkManagerName.Setting
    let ssid = settings[Name.wireless]?[Name.ssid]?.asBytes ?? point?.ssid ?? []
    settings[Name.wireless, default: [:]][Name.ssid] = .bytes(ssid)
    let text = String(decoding: ssid, as: UTF8.self)
    var common = settings[Name.connection] ?? [:]
    common[Name.id] = common[Name.id] ?? .string(text)
    common[Name.uuid] = common[Name.uuid] ?? .string(newUUID())
    common[Name.type] = common[Name.type] ?? .string(Name.wireless)
    common[Name.interfaceName] =
      common[Name.interfaceName] ?? .string(SimulatedWirelessDevice.interface)
    settings[Name.connection] = common
    if settings[Name.security] != nil, settings[Name.security]?[Name.keyManagement] == nil {
      settings[Name.security]?[Name.keyManagement] = .string(
        point?.point.security == .wpa3 ? "sae" : "wpa-psk")
    }
    if point == nil { settings[Name.wireless]?[Name.hidden] = .boolean(true) }
    // A router with its maker's name is one of many: NetworkManager pins the profile to it.
    if let point, ["linksys", "NETGEAR", "default", "WLAN"].contains(text) {
      settings[Name.wireless]?[Name.bssid] = .bytes(
        point.bssid.split(separator: ":").compactMap { UInt8($0, radix: 16) })
    }
  }

  private func mismatch(_ settings: SimulatedProfile.Settings, _ point: VisibleAccessPoint?)
    -> BusError?
  {
    guard let point else { return nil }
    let management = settings[NetworkManagerName.Setting.security]?["key-mgmt"]?.asString
    if point.accepts(keyManagement: management) { return nil }
    if point.point.security == .open {
      return BusError(
        name: NetworkManagerName.Failure.invalidSetting,
        message: "802-11-wireless-security: Access point is unencrypted but setting specifies "
          + "security")
    }
    return BusError(
      name: NetworkManagerName.Failure.missingSetting,
      message: "802-11-wireless-security: A 'wireless-security' setting is required")
  }

  // MARK: - The way up

  /// Starts a profile on the device, in the place of another one.
  @discardableResult
  func activate(_ profile: ObjectPath, at point: ObjectPath?) -> ObjectPath {
    endActivation(.newActivation, .deviceDisconnected, connectsNext: false)
    let path = newPath("ActiveConnection")
    uses += 1
    profiles[profile]?.lastUse = uses
    active = SimulatedActivation(path: path, profile: profile, specificObject: point ?? .root)
    export(path, [activeInterface(path)])
    activeChanged()
    active?.steps = Task(executorPreference: loop) {
      do {
        try await self.goUp(profile, point)
      } catch {
        // Another activation has taken the device, or the device has gone.
      }
    }
    return path
  }

  private func goUp(_ profile: ObjectPath, _ wanted: ObjectPath?) async throws {
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
        guard refuses else { return await manager.supplicant?.tell(state: "scanning") ?? () }
        await manager.supplicant?.tell(state: "authenticating")
        await manager.supplicant?.tell(state: "disconnected", authentication: 1)
      }
      if let point, !isOnAir(point.point) { forgetAccessPoint(point) }
      return fail(.ssidNotFound)
    }
    if point.needsPassword, profiles[profile]?.password != point.point.password {
      return try await refusePassword(profile, point)
    }
    try await associate(point)
    if keyManagement != nil {
      await supplicant?.tell(state: "4way_handshake")
      try await loop.sleep(for: time(.milliseconds(200)))
    }
    await supplicant?.tell(state: "completed")
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
  }

  /// A wrong password, as each kind of network shows it.
  private func refusePassword(_ profile: ObjectPath, _ point: VisibleAccessPoint) async throws {
    switch point.point.security {
    case .open, .owe, .wpa2:
      try await associate(point)
      await supplicant?.tell(state: "4way_handshake")
      try await loop.sleep(for: time(.seconds(1)))
      await supplicant?.tell(state: "disconnected", disconnection: 15)
      try await loop.sleep(for: time(.seconds(4)))
      // NetworkManager forgets the secrets and asks for others; there is no agent that has any.
      setDevice(.needAuthentication, .supplicantDisconnected)
      try await loop.sleep(for: time(.milliseconds(10)))
      fail(.noSecrets)
    case .wpa2AndWPA3:
      try await repeatUntilTimeout { await $0.refuseSAE() }
      setDevice(.needAuthentication, .none)
      try await loop.sleep(for: time(.milliseconds(10)))
      fail(.noSecrets)
    case .wpa3:
      // wpa_supplicant never gets as far as associating.
      try await repeatUntilTimeout { await $0.refuseSAE() }
      fail(.ssidNotFound)
    }
  }

  private func associate(_ point: VisibleAccessPoint) async throws {
    try await loop.sleep(for: time(.milliseconds(100)))
    await supplicant?.tell(state: "authenticating")
    try await loop.sleep(for: time(.milliseconds(100)))
    if point.usesSAE { await supplicant?.tell(authentication: 0) }
    await supplicant?.tell(state: "associating", authentication: 0)
    try await loop.sleep(for: time(.milliseconds(100)))
    await supplicant?.tell(state: "associated", association: 0)
  }

  private func refuseSAE() async {
    await supplicant?.tell(state: "authenticating", authentication: 0)
    await supplicant?.tell(state: "disconnected", authentication: 1)
  }

  /// What wpa_supplicant does again and again until NetworkManager gives up.
  private func repeatUntilTimeout(
    _ body: (isolated SimulatedNetworkManager) async -> Void
  ) async throws {
    try await loop.sleep(for: time(.milliseconds(200)))
    for _ in 0..<8 {
      await body(self)
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

  // MARK: - The way down

  private func fail(_ reason: DeviceStateReason) {
    guard let active else { return }
    profiles[active.profile]?.isBlocked = true
    setDevice(.failed, reason)
    setActive(.deactivated, .deviceDisconnected)
    dropActive()
    setDevice(.disconnected, .none)
    connectLater()
  }

  /// Takes the device from whatever it does to disconnected.
  func endActivation(
    _ reason: DeviceStateReason, _ activeReason: ActiveReason, connectsNext: Bool = true
  ) {
    guard let active else { return }
    active.steps?.cancel()
    if device.state.rawValue >= DeviceState.prepare.rawValue { setDevice(.deactivating, reason) }
    setActive(.deactivating, activeReason)
    if device.state == .deactivating { setDevice(.disconnected, reason) }
    setActive(.deactivated, activeReason)
    dropActive()
    if connectsNext { connectLater() }
  }

  private func dropActive() {
    guard let active else { return }
    self.active = nil
    device.activeAccessPoint = nil
    wirelessChanged(["ActiveAccessPoint"])
    if let config = device.ip4Config {
      device.ip4Config = nil
      if let device = device.path {
        changed(device, NetworkManagerName.Interface.device, ["Ip4Config"])
      }
      unexport(config)
    }
    activeChanged()
    unexport(active.path)
    if profiles[active.profile]?.isVolatile == true { remove(active.profile) }
  }

  private func wirelessChanged(_ names: [String]) {
    guard let path = device.path else { return }
    changed(path, NetworkManagerName.Interface.wireless, names)
  }

  private func activeChanged() {
    changed(
      NetworkManagerName.manager, NetworkManagerName.Interface.manager,
      ["ActiveConnections", "PrimaryConnection", "PrimaryConnectionType", "ActivatingConnection"])
    if let path = device.path {
      changed(path, NetworkManagerName.Interface.device, ["ActiveConnection"])
    }
  }

  private func setActive(_ state: ActiveState, _ reason: ActiveReason) {
    guard let active, active.state != state else { return }
    self.active?.state = state
    changed(
      active.path, NetworkManagerName.Interface.active, ["State", "Default"])
    emit(
      active.path, NetworkManagerName.Interface.active, "StateChanged",
      [.uint32(state.rawValue), .uint32(reason.rawValue)])
    changed(
      NetworkManagerName.manager, NetworkManagerName.Interface.manager,
      ["PrimaryConnection", "PrimaryConnectionType", "ActivatingConnection"])
  }

  /// Activates what connects by itself, a moment after the device is free.
  func connectLater() {
    loop.after(time(.milliseconds(100))) { [weak self] in
      self?.assumeIsolated { $0.connectByItself() }
    }
  }

  private func connectByItself() {
    guard bus != nil, active == nil, device.state == .disconnected else { return }
    let candidates = profiles.filter {
      $0.value.connectsByItself && accessPoint(for: $0.key) != nil
    }
    guard let next = candidates.max(by: { $0.value.lastUse < $1.value.lastUse })?.key else {
      return
    }
    activate(next, at: accessPoint(for: next)?.path)
  }

  // MARK: - The objects

  private func activeInterface(_ path: ObjectPath) -> Interface {
    Interface(
      NetworkManagerName.Interface.active,
      properties: [
        property("Connection", "o") { .objectPath($0.active?.profile ?? .root) },
        property("SpecificObject", "o") { .objectPath($0.active?.specificObject ?? .root) },
        property("Id", "s") { manager in
          .string(manager.active.flatMap { manager.profiles[$0.profile]?.id } ?? "")
        },
        property("Uuid", "s") { manager in
          .string(manager.active.flatMap { manager.profiles[$0.profile]?.uuid } ?? "")
        },
        Property("Type", .string(NetworkManagerName.Setting.wireless)),
        property("Devices", "ao") { .objectPaths($0.device.path.map { [$0] } ?? []) },
        property("State", "u") { .uint32($0.active?.state.rawValue ?? 4) },
        Property("StateFlags", .uint32(0)),
        property("Default", "b") { .boolean($0.active?.state == .activated) },
        property("Ip4Config", "o") { .objectPath($0.device.ip4Config ?? .root) },
        Property("Dhcp4Config", .objectPath(.root)),
        Property("Default6", .boolean(false)),
        Property("Ip6Config", .objectPath(.root)),
        Property("Dhcp6Config", .objectPath(.root)),
        Property("Vpn", .boolean(false)),
        Property("Master", .objectPath(.root)),
      ],
      signals: [SignalDescription("StateChanged", "uu")])
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
