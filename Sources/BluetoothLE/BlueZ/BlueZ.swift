internal import DBus

/// The names of BlueZ's D-Bus interface, as its documentation spells them.
enum BlueZ {
  static let service = "org.bluez"
  /// The object that agents are registered with.
  static let agentManager = ObjectPath(literal: "/org/bluez")

  enum Interface {
    static let adapter = "org.bluez.Adapter1"
    static let agent = "org.bluez.Agent1"
    static let agentManager = "org.bluez.AgentManager1"
    static let device = "org.bluez.Device1"
    static let gattManager = "org.bluez.GattManager1"
    static let gattService = "org.bluez.GattService1"
    static let gattCharacteristic = "org.bluez.GattCharacteristic1"
    static let gattDescriptor = "org.bluez.GattDescriptor1"
    static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    static let advertisement = "org.bluez.LEAdvertisement1"
  }

  enum ErrorName {
    static let failed = "org.bluez.Error.Failed"
    static let inProgress = "org.bluez.Error.InProgress"
    static let alreadyConnected = "org.bluez.Error.AlreadyConnected"
    static let alreadyExists = "org.bluez.Error.AlreadyExists"
    static let authenticationCanceled = "org.bluez.Error.AuthenticationCanceled"
    static let authenticationFailed = "org.bluez.Error.AuthenticationFailed"
    static let authenticationRejected = "org.bluez.Error.AuthenticationRejected"
    static let authenticationTimeout = "org.bluez.Error.AuthenticationTimeout"
    static let blocked = "org.bluez.Error.Blocked"
    static let busy = "org.bluez.Error.Busy"
    static let connectionAttemptFailed = "org.bluez.Error.ConnectionAttemptFailed"
    static let doesNotExist = "org.bluez.Error.DoesNotExist"
    static let improperlyConfigured = "org.bluez.Error.ImproperlyConfigured"
    static let invalidArguments = "org.bluez.Error.InvalidArguments"
    static let invalidOffset = "org.bluez.Error.InvalidOffset"
    static let invalidValueLength = "org.bluez.Error.InvalidValueLength"
    static let notAuthorized = "org.bluez.Error.NotAuthorized"
    static let notConnected = "org.bluez.Error.NotConnected"
    static let notPermitted = "org.bluez.Error.NotPermitted"
    static let notReady = "org.bluez.Error.NotReady"
    static let notSupported = "org.bluez.Error.NotSupported"
    static let rejected = "org.bluez.Error.Rejected"
  }

  /// The path of a device under its adapter.
  static func device(_ address: BluetoothAddress, of adapter: ObjectPath) -> ObjectPath? {
    adapter.appending("dev_" + address.text(separator: "_"))
  }

  /// The address in the last element of a device's path.
  static func address(ofDevice element: some StringProtocol) -> BluetoothAddress? {
    guard element.hasPrefix("dev_") else { return nil }
    return BluetoothAddress(element.dropFirst(4), separator: UInt8(ascii: "_"))
  }
}
