internal import DBus
internal import Glibc
internal import MainLoop

extension SimulatedNetworkManager {
  func addDevice() {
    let path = newPath("Devices")
    device = SimulatedWirelessDevice(path: path)
    export(path, [deviceInterface, wirelessInterface])
    changed(
      NetworkManagerName.manager, NetworkManagerName.Interface.manager, ["Devices", "AllDevices"])
    emit(
      NetworkManagerName.manager, NetworkManagerName.Interface.manager, "DeviceAdded",
      [.objectPath(path)])
    settleDevice()
  }

  func removeDevice() {
    guard let path = device.path else { return }
    setDevice(.unmanaged, .removed)
    endActivation(.removed, .deviceRemoved)
    forgetAllAccessPoints()
    device = SimulatedWirelessDevice()
    changed(
      NetworkManagerName.manager, NetworkManagerName.Interface.manager, ["Devices", "AllDevices"])
    emit(
      NetworkManagerName.manager, NetworkManagerName.Interface.manager, "DeviceRemoved",
      [.objectPath(path)])
    unexport(path)
  }

  /// Brings the device to where its switches let it be.
  func settleDevice() {
    if !station.isManaged {
      endActivation(.nowUnmanaged, .deviceDisconnected)
      setDevice(.unmanaged, .nowUnmanaged)
      forgetAllAccessPoints()
    } else if !station.isRadioOn {
      endActivation(.none, .deviceDisconnected)
      setDevice(.unavailable, .none)
      forgetAllAccessPoints()
    } else if device.state.rawValue < DeviceState.disconnected.rawValue {
      setDevice(.unavailable, .nowManaged)
      setDevice(.disconnected, .supplicantAvailable)
      finishScan()
      connectLater()
    }
  }

  func setDevice(_ state: DeviceState, _ reason: DeviceStateReason) {
    guard let path = device.path, device.state != state || device.reason != reason else { return }
    let old = device.state
    device.state = state
    device.reason = reason
    changed(path, NetworkManagerName.Interface.device, ["State", "StateReason"])
    emit(
      path, NetworkManagerName.Interface.device, "StateChanged",
      [.uint32(state.rawValue), .uint32(old.rawValue), .uint32(reason.rawValue)])
    updateNetworkState()
  }

  /// `CLOCK_BOOTTIME` in milliseconds.
  var bootTime: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }

  func finishScan() {
    updateVisible(asking: device.wantedSSIDs)
    device.wantedSSIDs = []
    device.lastScan = bootTime
    device.isScanning = false
    if let path = device.path {
      changed(path, NetworkManagerName.Interface.wireless, ["LastScan"])
    }
  }

  private func requestScan(for ssids: [[UInt8]]) -> MethodOutcome {
    guard device.state.rawValue >= DeviceState.disconnected.rawValue else {
      return .error(
        BusError(
          name: NetworkManagerName.Failure.scanNotAllowed,
          message: "Scanning not allowed while unavailable"))
    }
    device.wantedSSIDs.formUnion(ssids)
    if !device.isScanning {
      device.isScanning = true
      loop.after(time(.seconds(3))) { [weak self] in
        self?.assumeIsolated { if $0.device.isScanning { $0.finishScan() } }
      }
    }
    return .reply([])
  }

  private var deviceInterface: Interface {
    Interface(
      NetworkManagerName.Interface.device,
      methods: [
        guarded("Disconnect") { manager, _ in
          guard let active = manager.active else {
            return .error(
              BusError(
                name: NetworkManagerName.Failure.deviceNotActive,
                message: "This device is not active"))
          }
          manager.profiles[active.profile]?.isBlocked = true
          manager.device.isBlocked = true
          manager.deactivate(.userRequested, .deviceDisconnected)
          return .reply([])
        }
      ],
      properties: [
        property("Path", "s") { _ in .string("/sys/devices/simulated") },
        property("Udi", "s") { _ in .string("/sys/devices/simulated") },
        Property("Interface", .string(SimulatedWirelessDevice.interface)),
        Property("IpInterface", .string(SimulatedWirelessDevice.interface)),
        Property("Driver", .string("simulated")),
        Property("DriverVersion", .string("")),
        Property("FirmwareVersion", .string("")),
        // Managed by NetworkManager.
        Property("Capabilities", .uint32(1)),
        property("State", "u") { .uint32($0.device.state.rawValue) },
        property("StateReason", "(uu)") {
          .structure([.uint32($0.device.state.rawValue), .uint32($0.device.reason.rawValue)])
        },
        property("ActiveConnection", "o") { .objectPath($0.active?.path ?? .root) },
        property("Ip4Config", "o") { .objectPath($0.device.ip4Config ?? .root) },
        Property("Dhcp4Config", .objectPath(.root)),
        property("Ip6Config", "o") { .objectPath($0.device.ip6Config ?? .root) },
        Property("Dhcp6Config", .objectPath(.root)),
        property("Managed", "b") { .boolean($0.station.isManaged) },
        Property("Autoconnect", .boolean(true)),
        Property("FirmwareMissing", .boolean(false)),
        Property("NmPluginMissing", .boolean(false)),
        Property("DeviceType", .uint32(2)),
        property("AvailableConnections", "ao") { manager in
          .objectPaths(
            manager.profiles.keys.filter { manager.accessPoint(for: $0) != nil }.sorted())
        },
        Property("PhysicalPortId", .string("")),
        Property("Mtu", .uint32(1500)),
        Property("Metered", .uint32(4)),
        Property("Real", .boolean(true)),
        property("Ip4Connectivity", "u") { .uint32($0.deviceConnectivity) },
        property("Ip6Connectivity", "u") {
          .uint32($0.device.ip6Config == nil ? 1 : $0.deviceConnectivity)
        },
        Property("InterfaceFlags", .uint32(1)),
        Property("HwAddress", .string(SimulatedWirelessDevice.address)),
      ],
      signals: [SignalDescription("StateChanged", "uuu")])
  }

  private var wirelessInterface: Interface {
    Interface(
      NetworkManagerName.Interface.wireless,
      methods: [
        method("GetAccessPoints", out: "ao") { manager, _ in
          .reply([.objectPaths(manager.visible.map(\.path))])
        },
        method("GetAllAccessPoints", out: "ao") { manager, _ in
          .reply([.objectPaths(manager.visible.map(\.path))])
        },
        guarded("RequestScan", in: "a{sv}") {
          manager, call in
          let options = call.arguments.first?.asDictionary ?? [:]
          let ssids = (options["ssids"]?.asArray ?? []).compactMap(\.asBytes)
          return manager.requestScan(for: ssids)
        },
      ],
      properties: [
        Property("HwAddress", .string(SimulatedWirelessDevice.address)),
        Property("PermHwAddress", .string(SimulatedWirelessDevice.address)),
        Property("Mode", .uint32(2)),
        property("Bitrate", "u") { .uint32($0.device.activeAccessPoint == nil ? 0 : 54_000) },
        property("AccessPoints", "ao") { .objectPaths($0.visible.map(\.path)) },
        property("ActiveAccessPoint", "o") { .objectPath($0.device.activeAccessPoint ?? .root) },
        // WPA, RSN, TKIP and CCMP, access point mode, both bands.
        Property("WirelessCapabilities", .uint32(0x77f)),
        property("LastScan", "x") { .int64($0.device.lastScan) },
      ],
      signals: [
        SignalDescription("AccessPointAdded", "o"), SignalDescription("AccessPointRemoved", "o"),
      ])
  }
}
