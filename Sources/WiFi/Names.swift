internal import DBus

/// NetworkManager's names on the bus, for what is followed without libnm.
enum NetworkManagerBus {
  static let name = "org.freedesktop.NetworkManager"
  static let path = ObjectPath(literal: "/org/freedesktop/NetworkManager")

  static let manager = "org.freedesktop.NetworkManager"
  static let devices = "Devices"
  static let createCheckpoint = "CheckpointCreate"
  static let destroyCheckpoint = "CheckpointDestroy"
  static let rollBackCheckpoint = "CheckpointRollback"
  static let adjustCheckpoint = "CheckpointAdjustRollbackTimeout"
  static let checkpoints = "Checkpoints"
  static let activateConnection = "ActivateConnection"
  static let networkingEnabled = "NetworkingEnabled"
  static let wirelessEnabled = "WirelessEnabled"
  static let wirelessHardwareEnabled = "WirelessHardwareEnabled"

  static let primaryConnectionType = "PrimaryConnectionType"

  static let settingsPath = ObjectPath(literal: "/org/freedesktop/NetworkManager/Settings")
  static let settings = "org.freedesktop.NetworkManager.Settings"
  static let listConnections = "ListConnections"
  static let profile = "org.freedesktop.NetworkManager.Settings.Connection"
  static let getSettings = "GetSettings"

  static let device = "org.freedesktop.NetworkManager.Device"
  static let deviceType = "DeviceType"
  static let interface = "Interface"
  static let state = "State"
  static let activeConnection = "ActiveConnection"
  static let ip4Config = "Ip4Config"
  static let ip6Config = "Ip6Config"
  static let ip4Connectivity = "Ip4Connectivity"

  static let active = "org.freedesktop.NetworkManager.Connection.Active"
  static let uuid = "Uuid"
  /// Of devices and of active connections.
  static let stateChanged = "StateChanged"

  static let wireless = "org.freedesktop.NetworkManager.Device.Wireless"
  static let mode = "Mode"
  static let activeAccessPoint = "ActiveAccessPoint"

  static let accessPoint = "org.freedesktop.NetworkManager.AccessPoint"
  static let ssid = "Ssid"
  static let strength = "Strength"
  static let frequency = "Frequency"

  static let checkpoint = "org.freedesktop.NetworkManager.Checkpoint"
  static let rollbackTimeout = "RollbackTimeout"

  static let ip4ConfigInterface = "org.freedesktop.NetworkManager.IP4Config"
  static let ip6ConfigInterface = "org.freedesktop.NetworkManager.IP6Config"
  static let addressData = "AddressData"
  static let nameserverData = "NameserverData"
  static let nameservers = "Nameservers"
  static let address = "address"
  static let gateway = "Gateway"
}

/// `NMDeviceState`.
enum DeviceState {
  static let unmanaged: UInt32 = 10
  static let unavailable: UInt32 = 20
  static let disconnected: UInt32 = 30
  static let prepare: UInt32 = 40
  static let config: UInt32 = 50
  static let needAuthentication: UInt32 = 60
  static let ipConfig: UInt32 = 70
  static let ipCheck: UInt32 = 80
  static let secondaries: UInt32 = 90
  static let activated: UInt32 = 100
  static let deactivating: UInt32 = 110
  static let failed: UInt32 = 120
}

/// `NMDeviceStateReason`, as far as a reason is drawn from it.
enum DeviceStateReason {
  static let none: UInt32 = 0
  static let configFailed: UInt32 = 4
  static let ipConfigUnavailable: UInt32 = 5
  static let noSecrets: UInt32 = 7
  static let supplicantDisconnected: UInt32 = 8
  static let supplicantConfigFailed: UInt32 = 9
  static let supplicantFailed: UInt32 = 10
  static let supplicantTimedOut: UInt32 = 11
  /// NetworkManager before 1.36 told DHCP's failures apart.
  static let dhcp: ClosedRange<UInt32> = 15...17
  static let removed: UInt32 = 36
  static let connectionRemoved: UInt32 = 38
  static let userRequested: UInt32 = 39
  static let ssidNotFound: UInt32 = 53
  static let newActivation: UInt32 = 60
  static let addressDuplicate: UInt32 = 64
  static let networkingOff: UInt32 = 78
}

/// `NMActiveConnectionState`.
enum ActiveConnectionState {
  static let deactivating: UInt32 = 3
  static let deactivated: UInt32 = 4
}

/// `NMDeviceType`.
enum DeviceType { static let wifi = 2 }

/// Types of profiles, which are names of settings.
enum ProfileType {
  static let wifi = "802-11-wireless"
}

/// `NM80211Mode`.
enum WirelessMode { static let accessPoint = 3 }

/// wpa_supplicant's names on the bus.
enum SupplicantBus {
  static let name = "fi.w1.wpa_supplicant1"
  static let path = ObjectPath(literal: "/fi/w1/wpa_supplicant1")
  static let interface = "fi.w1.wpa_supplicant1.Interface"
  static let state = "State"
  static let authentication = "AuthStatusCode"
  static let association = "AssocStatusCode"
  static let disconnection = "DisconnectReason"
  static let eap = "EAP"
}
