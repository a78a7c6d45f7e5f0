internal import DBus

/// A cable to the internet beside the Wi-Fi device: there from the start, and always connected.
extension SimulatedNetworkManager {
  static let wiredInterface = "eth0"
  private static let wiredType = "802-3-ethernet"

  func addWiredDevice() {
    let device = newPath("Devices")
    let active = newPath("ActiveConnection")
    let profile =
      profiles.first { $0.value.uuid == Self.wiredInterface }?.key
      ?? keep(
        SimulatedProfile(
          settings: [
            NetworkManagerName.Setting.connection: [
              NetworkManagerName.Setting.id: .string("Cable"),
              NetworkManagerName.Setting.uuid: .string(Self.wiredInterface),
              NetworkManagerName.Setting.type: .string(Self.wiredType),
            ],
            Self.wiredType: [:],
          ], isVolatile: false, isSaved: true))
    let config = newPath("IP4Config")
    wired = SimulatedWiredDevice(path: device, active: active)
    export(config, [IPConfiguration.wired.ipv4Interface])
    export(active, [Self.wiredActiveInterface(device, profile, config)])
    export(device, [Self.wiredDeviceInterface(active, config), Self.cableInterface])
  }

  private static func wiredDeviceInterface(_ active: ObjectPath, _ config: ObjectPath) -> Interface
  {
    Interface(
      NetworkManagerName.Interface.device,
      properties: [
        Property("Path", .string("/sys/devices/simulated-cable")),
        Property("Udi", .string("/sys/devices/simulated-cable")),
        Property("Interface", .string(wiredInterface)),
        Property("IpInterface", .string(wiredInterface)),
        Property("Driver", .string("simulated")),
        Property("Capabilities", .uint32(3)),
        Property("State", .uint32(DeviceState.activated.rawValue)),
        Property(
          "StateReason",
          .structure([.uint32(DeviceState.activated.rawValue), .uint32(0)])),
        Property("ActiveConnection", .objectPath(active)),
        Property("Ip4Config", .objectPath(config)),
        Property("Dhcp4Config", .objectPath(.root)),
        Property("Ip6Config", .objectPath(.root)),
        Property("Dhcp6Config", .objectPath(.root)),
        Property("Managed", .boolean(true)),
        Property("Autoconnect", .boolean(true)),
        Property("DeviceType", .uint32(1)),
        Property("AvailableConnections", .objectPaths([])),
        Property("Real", .boolean(true)),
        Property("Ip4Connectivity", .uint32(4)),
        Property("Ip6Connectivity", .uint32(1)),
        Property("InterfaceFlags", .uint32(1)),
      ],
      signals: [SignalDescription("StateChanged", "uuu")])
  }

  private static let cableInterface = Interface(
    NetworkManagerName.Interface.wired,
    properties: [
      Property("HwAddress", .string("02:00:00:00:02:00")),
      Property("PermHwAddress", .string("02:00:00:00:02:00")),
      Property("Speed", .uint32(1000)),
      Property("Carrier", .boolean(true)),
    ])

  private static func wiredActiveInterface(
    _ device: ObjectPath, _ profile: ObjectPath, _ config: ObjectPath
  ) -> Interface {
    Interface(
      NetworkManagerName.Interface.active,
      properties: [
        Property("Connection", .objectPath(profile)),
        Property("SpecificObject", .objectPath(.root)),
        Property("Id", .string("Cable")),
        Property("Uuid", .string(wiredInterface)),
        Property("Type", .string(wiredType)),
        Property("Devices", .objectPaths([device])),
        Property("State", .uint32(ActiveState.activated.rawValue)),
        Property("StateFlags", .uint32(0)),
        Property("Default", .boolean(true)),
        Property("Ip4Config", .objectPath(config)),
        Property("Dhcp4Config", .objectPath(.root)),
        Property("Default6", .boolean(false)),
        Property("Ip6Config", .objectPath(.root)),
        Property("Dhcp6Config", .objectPath(.root)),
        Property("Vpn", .boolean(false)),
        Property("Master", .objectPath(.root)),
      ],
      signals: [SignalDescription("StateChanged", "uu")])
  }
}
