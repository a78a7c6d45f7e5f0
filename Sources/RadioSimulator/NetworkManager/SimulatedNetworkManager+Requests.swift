internal import DBus

extension SimulatedNetworkManager {
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
    profiles[profile]?.failures = 0
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
    let point: VisibleAccessPoint?
    if wanted == .root {
      point = accessPoint(
        for: SimulatedProfile(settings: settings, isVolatile: true, isSaved: false))
    } else {
      point = visible.first { $0.path == wanted }
      if point == nil {
        return .failure(
          BusError(
            name: NetworkManagerName.Failure.accessPointUnknown,
            message: "The access point \(wanted) was not in the scan list."))
      }
    }
    complete(&settings, for: point)
    if let error = objection(to: settings) ?? mismatch(settings, point) { return .failure(error) }
    if persist == "disk", !station.hasWritableStorage { return .failure(Self.readOnly) }
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
    for family in ["ipv4", "ipv6"] where settings[family]?["method"] == nil {
      settings[family, default: [:]]["method"] = .string("auto")
    }
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
      settings[Name.wireless]?[Name.bssid] = .bytes(point.bssid)
    }
  }

  private func mismatch(_ settings: SimulatedProfile.Settings, _ point: VisibleAccessPoint?)
    -> BusError?
  {
    let profile = SimulatedProfile(settings: settings, isVolatile: true, isSaved: false)
    guard let point, !point.accepts(profile) else { return nil }
    let security = NetworkManagerName.Setting.security
    switch (point.point.security, profile.keyManagement) {
    case (.open, _):
      return BusError(
        name: NetworkManagerName.Failure.invalidSetting,
        message: "\(security): Access point is unencrypted but setting specifies security")
    case (_, nil):
      return BusError(
        name: NetworkManagerName.Failure.missingSetting,
        message: "\(security): A 'wireless-security' setting is required")
    case (_, let management?):
      return BusError(
        name: NetworkManagerName.Failure.invalidSetting,
        message: "\(security).key-mgmt: '\(management)' is not what the access point does")
    }
  }
}
