internal import DBus

/// What NetworkManager 1.42 calls things on the bus.
enum NetworkManagerName {
  static let bus = "org.freedesktop.NetworkManager"
  /// Where libnm asks for all objects at once.
  static let objectManager = ObjectPath(literal: "/org/freedesktop")
  static let manager = ObjectPath(literal: "/org/freedesktop/NetworkManager")
  static let settings = ObjectPath(literal: "/org/freedesktop/NetworkManager/Settings")

  /// Interfaces.
  enum Interface {
    static let manager = "org.freedesktop.NetworkManager"
    static let settings = "org.freedesktop.NetworkManager.Settings"
    static let profile = "org.freedesktop.NetworkManager.Settings.Connection"
    static let device = "org.freedesktop.NetworkManager.Device"
    static let wireless = "org.freedesktop.NetworkManager.Device.Wireless"
    static let wired = "org.freedesktop.NetworkManager.Device.Wired"
    static let accessPoint = "org.freedesktop.NetworkManager.AccessPoint"
    static let active = "org.freedesktop.NetworkManager.Connection.Active"
    static let ip4Config = "org.freedesktop.NetworkManager.IP4Config"
    static let ip6Config = "org.freedesktop.NetworkManager.IP6Config"
    static let checkpoint = "org.freedesktop.NetworkManager.Checkpoint"
  }

  /// Errors.
  enum Failure {
    static let permissionDenied = "org.freedesktop.NetworkManager.PermissionDenied"
    static let invalidArguments = "org.freedesktop.NetworkManager.InvalidArguments"
    static let unknownConnection = "org.freedesktop.NetworkManager.UnknownConnection"
    static let unknownDevice = "org.freedesktop.NetworkManager.UnknownDevice"
    static let notActive = "org.freedesktop.NetworkManager.ConnectionNotActive"
    static let notAvailable = "org.freedesktop.NetworkManager.ConnectionNotAvailable"
    static let accessPointUnknown =
      "org.freedesktop.NetworkManager.Device.SpecificObjectNotFound"
    static let scanNotAllowed = "org.freedesktop.NetworkManager.Device.NotAllowed"
    static let deviceNotActive = "org.freedesktop.NetworkManager.Device.NotActive"
    static let invalidSetting = "org.freedesktop.NetworkManager.Settings.Connection.InvalidProperty"
    static let missingSetting = "org.freedesktop.NetworkManager.Settings.Connection.MissingSetting"
    static let uuidExists = "org.freedesktop.NetworkManager.Settings.UuidExists"
    static let missingSettingOfProfile =
      "org.freedesktop.NetworkManager.Settings.Connection.SettingNotFound"
    static let settingsArguments = "org.freedesktop.NetworkManager.Settings.InvalidArguments"
    static let invalidProfile = "org.freedesktop.NetworkManager.Settings.InvalidConnection"
  }

  /// Settings of a profile and their keys.
  enum Setting {
    static let connection = "connection"
    static let wireless = "802-11-wireless"
    static let security = "802-11-wireless-security"
    static let enterprise = "802-1x"
    static let ssid = "ssid"
    static let psk = "psk"
    static let keyManagement = "key-mgmt"
    static let uuid = "uuid"
    static let id = "id"
    static let type = "type"
    static let autoconnect = "autoconnect"
    static let interfaceName = "interface-name"
    static let bssid = "bssid"
    static let hidden = "hidden"
    static let mode = "mode"
  }
}

/// `NMDeviceState`.
enum DeviceState: UInt32 {
  case unmanaged = 10
  case unavailable = 20
  case disconnected = 30
  case prepare = 40
  case config = 50
  case needAuthentication = 60
  case ipConfig = 70
  case ipCheck = 80
  case secondaries = 90
  case activated = 100
  case deactivating = 110
  case failed = 120
}

/// `NMDeviceStateReason`.
enum DeviceStateReason: UInt32 {
  case none = 0
  case nowManaged = 2
  case nowUnmanaged = 3
  case ipConfigUnavailable = 5
  case noSecrets = 7
  case supplicantDisconnected = 8
  case supplicantConfigFailed = 9
  case supplicantTimedOut = 11
  case removed = 36
  case connectionRemoved = 38
  case userRequested = 39
  case supplicantAvailable = 42
  case ssidNotFound = 53
  case newActivation = 60
}

/// `NMActiveConnectionState`.
enum ActiveState: UInt32 {
  case activating = 1
  case activated = 2
  case deactivating = 3
  case deactivated = 4
}

/// `NMActiveConnectionStateReason`.
enum ActiveReason: UInt32 {
  case none = 1
  case userDisconnected = 2
  case deviceDisconnected = 3
  case connectionRemoved = 11
  case deviceRemoved = 14
}

/// `NMRollbackResult`.
enum RollbackResult: UInt32 {
  case done = 0
  case noDevice = 1
  case deviceUnmanaged = 2
  case failed = 3
}

/// `NMState`.
enum NetworkState: UInt32 {
  case asleep = 10
  case disconnected = 20
  case connecting = 40
  case connectedLocal = 50
  case connectedGlobal = 70
}
