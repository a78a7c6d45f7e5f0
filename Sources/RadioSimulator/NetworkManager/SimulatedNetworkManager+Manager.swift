internal import DBus

extension SimulatedNetworkManager {
  /// `NMConnectivityState` of the board.
  var connectivity: UInt32 {
    guard wired == nil else { return 4 }
    return deviceConnectivity
  }

  /// `NMConnectivityState` of the Wi-Fi device.
  var deviceConnectivity: UInt32 {
    guard device.state == .activated,
      let point = visible.first(where: { $0.path == device.activeAccessPoint })?.point
    else { return 1 }
    switch point.internet {
    case .full: return 4
    case .none: return 3
    case .portal: return 2
    }
  }

  func updateNetworkState() {
    let new: NetworkState =
      switch device.state {
      case _ where wired != nil: .connectedGlobal
      case .activated: connectivity == 4 ? .connectedGlobal : .connectedLocal
      case .prepare, .config, .needAuthentication, .ipConfig, .ipCheck, .secondaries: .connecting
      default: .disconnected
      }
    guard new != networkState else { return }
    networkState = new
    changed(
      NetworkManagerName.manager, NetworkManagerName.Interface.manager, ["State", "Connectivity"])
    emit(
      NetworkManagerName.manager, NetworkManagerName.Interface.manager, "StateChanged",
      [.uint32(new.rawValue)])
    if let path = device.path {
      changed(path, NetworkManagerName.Interface.device, ["Ip4Connectivity"])
    }
  }

  var managerInterface: Interface {
    Interface(
      NetworkManagerName.Interface.manager, methods: managerMethods,
      properties: managerProperties,
      signals: [
        SignalDescription("StateChanged", "u"), SignalDescription("DeviceAdded", "o"),
        SignalDescription("DeviceRemoved", "o"), SignalDescription("CheckPermissions"),
      ])
  }

  private var devicePaths: Value { .objectPaths([device.path, wired?.path].compactMap(\.self)) }

  /// What the way to the internet is.
  private var primary: (path: ObjectPath, type: String)? {
    if let wired { return (wired.active, "802-3-ethernet") }
    guard let active, active.state == .activated else { return nil }
    return (active.path, NetworkManagerName.Setting.wireless)
  }

  private var managerMethods: [Method] {
    [
      method("GetDevices", out: "ao") { manager, _ in .reply([manager.devicePaths]) },
      method("GetAllDevices", out: "ao") { manager, _ in .reply([manager.devicePaths]) },
      method("GetDeviceByIpIface", in: "s", out: "o") { manager, call in
        let paths = [
          SimulatedWirelessDevice.interface: manager.device.path,
          Self.wiredInterface: manager.wired?.path,
        ]
        guard let path = call.arguments.first?.asString.flatMap({ paths[$0] ?? nil }) else {
          return .error(
            BusError(
              name: NetworkManagerName.Failure.unknownDevice, message: "No device was found."))
        }
        return .reply([.objectPath(path)])
      },
      method("state", out: "u") { manager, _ in .reply([.uint32(manager.networkState.rawValue)]) },
      method("CheckConnectivity", out: "u") { manager, _ in
        .reply([.uint32(manager.connectivity)])
      },
      method("GetPermissions", out: "a{ss}") { manager, _ in
        let answer = manager.station.isPermitted ? "yes" : "no"
        return .reply([
          .dictionary(
            key: .string, value: .string,
            Self.permissions.map {
              .init(.string("org.freedesktop.NetworkManager." + $0), .string(answer))
            })
        ])
      },
      guarded("ActivateConnection", in: "ooo", out: "o") { manager, call in
        manager.activateConnection(call)
      },
      guarded("AddAndActivateConnection", in: "a{sa{sv}}oo", out: "oo") { manager, call in
        switch manager.addAndActivate(call, options: [:]) {
        case .success(let (profile, active)):
          return .reply([.objectPath(profile), .objectPath(active)])
        case .failure(let error): return .error(error)
        }
      },
      guarded("AddAndActivateConnection2", in: "a{sa{sv}}ooa{sv}", out: "ooa{sv}") {
        manager, call in
        switch manager.addAndActivate(call, options: call.arguments[3].asDictionary ?? [:]) {
        case .success(let (profile, active)):
          return .reply([.objectPath(profile), .objectPath(active), .properties([:])])
        case .failure(let error): return .error(error)
        }
      },
      guarded("DeactivateConnection", in: "o") { manager, call in
        let path = call.arguments.first?.asObjectPath
        guard let path, manager.endByUser(path) else {
          return .error(
            BusError(
              name: NetworkManagerName.Failure.notActive,
              message: "The connection was not active."))
        }
        return .reply([])
      },
    ] + checkpointMethods
  }

  private static let permissions = [
    "enable-disable-network", "enable-disable-wifi", "network-control", "wifi.scan",
    "settings.modify.own", "settings.modify.system", "reload", "checkpoint-rollback",
    "enable-disable-connectivity-check",
  ]

  private var managerProperties: [Property] {
    [
      property("Devices", "ao") { $0.devicePaths },
      property("AllDevices", "ao") { $0.devicePaths },
      property("Checkpoints", "ao") { .objectPaths($0.checkpoints.map(\.path)) },
      Property("NetworkingEnabled", .boolean(true)),
      property("WirelessEnabled", "b") { .boolean($0.station.isRadioOn) },
      property("WirelessHardwareEnabled", "b") { .boolean($0.station.isRadioOn) },
      // There is a Wi-Fi device.
      property("RadioFlags", "u") { .uint32($0.device.path == nil ? 0 : 1) },
      Property("WwanEnabled", .boolean(true)),
      Property("WwanHardwareEnabled", .boolean(true)),
      property("ActiveConnections", "ao") {
        .objectPaths($0.activations.map(\.path) + ($0.wired.map { [$0.active] } ?? []))
      },
      property("PrimaryConnection", "o") { .objectPath($0.primary?.path ?? .root) },
      property("PrimaryConnectionType", "s") { .string($0.primary?.type ?? "") },
      property("ActivatingConnection", "o") {
        .objectPath($0.activations.first { $0.state == .activating }?.path ?? .root)
      },
      Property("Metered", .uint32(4)),
      Property("Startup", .boolean(false)),
      Property("Version", .string("1.42.4")),
      Property("Capabilities", .array(element: .uint32, [])),
      property("State", "u") { .uint32($0.networkState.rawValue) },
      property("Connectivity", "u") { .uint32($0.connectivity) },
      Property("ConnectivityCheckAvailable", .boolean(true)),
      Property("ConnectivityCheckEnabled", .boolean(true)),
      Property("ConnectivityCheckUri", .string("http://check.example/")),
      Property("GlobalDnsConfiguration", .properties([:])),
    ]
  }
}
