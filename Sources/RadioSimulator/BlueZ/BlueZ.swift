internal import DBus

/// BlueZ's names on the bus.
enum BlueZ {
  static let busName = "org.bluez"
  static let path = ObjectPath(literal: "/org/bluez")

  enum Name {
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let agent = "org.bluez.Agent1"
    static let agentManager = "org.bluez.AgentManager1"
    static let gattManager = "org.bluez.GattManager1"
    static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    static let advertisement = "org.bluez.LEAdvertisement1"
    static let service = "org.bluez.GattService1"
    static let characteristic = "org.bluez.GattCharacteristic1"
    static let descriptor = "org.bluez.GattDescriptor1"
  }
}

/// BlueZ's errors with the texts of its src/error.c.
extension BusError {
  static func bluez(_ name: String, _ message: String = "") -> BusError {
    BusError(name: "org.bluez.Error." + name, message: message)
  }

  static func bluezFailed(_ message: String) -> BusError { bluez("Failed", message) }
  static func bluezNotPermitted(_ message: String) -> BusError { bluez("NotPermitted", message) }

  static let bluezInvalidArguments = bluez("InvalidArguments", "Invalid arguments in method call")
  static let bluezBusy = bluez("InProgress", "Operation already in progress")
  static let bluezInProgress = bluez("InProgress", "In Progress")
  static let bluezAlreadyExists = bluez("AlreadyExists", "Already Exists")
  static let bluezDoesNotExist = bluez("DoesNotExist", "Does Not Exist")
  static let bluezNotSupported = bluez("NotSupported", "Operation is not supported")
  static let bluezNotConnected = bluez("NotConnected", "Not Connected")
  static let bluezAuthenticationFailed = bluez("AuthenticationFailed", "Authentication Failed")
  static let bluezAuthenticationCanceled = bluez(
    "AuthenticationCanceled", "Authentication Canceled")
  static let bluezNotReady = bluez("NotReady", "Resource Not Ready")
}
