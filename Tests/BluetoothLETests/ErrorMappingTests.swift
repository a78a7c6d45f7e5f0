import DBus
import Testing

@testable import BluetoothLE

/// What bluetoothd makes of an application's error, as in its `dbus_error_to_att_ecode`.
private func codeSent(for error: BusError) -> UInt8 {
  switch error.name {
  case "org.bluez.Error.Failed":
    guard error.message.hasPrefix("0x"), let code = UInt8(error.message.dropFirst(2), radix: 16)
    else { return 0x80 }
    return 0x80...0x9F ~= code ? code : 0x0E
  case "org.bluez.Error.NotSupported": return 0x06
  case "org.bluez.Error.NotAuthorized": return 0x08
  case "org.bluez.Error.InvalidValueLength": return 0x0D
  case "org.bluez.Error.InvalidOffset": return 0x07
  case "org.bluez.Error.InProgress": return 0xFE
  case "org.bluez.Error.ImproperlyConfigured": return 0xFD
  default: return 0x0E
  }
}

@Suite struct ErrorMappingTests {
  @Test(arguments: Array(0x80...0x9F) + [0x06, 0x07, 0x08, 0x0D, 0xFD, 0xFE] as [UInt8])
  func codesThatBlueZCanSendArrive(code: UInt8) {
    #expect(codeSent(for: ATTError(rawValue: code).busError) == code)
  }

  @Test(arguments: [0x00, 0x01, 0x05, 0x0A, 0x0F, 0x7F, 0xA0, 0xFF] as [UInt8])
  func otherCodesArriveAsUnlikely(code: UInt8) {
    #expect(codeSent(for: ATTError(rawValue: code).busError) == 0x0E)
  }

  @Test func notPermittedIsLeftToTheKindOfRequest() {
    #expect(ATTError.readNotPermitted.busError.name == "org.bluez.Error.NotPermitted")
    #expect(ATTError.writeNotPermitted.busError.name == "org.bluez.Error.NotPermitted")
  }

  @Test(
    arguments: [
      ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x80", .attribute(.init(0x80))),
      ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e", .attribute(.init(0x0E))),
      ("org.bluez.Error.Failed", "Operation failed with ATT error: ", .failed),
      ("org.bluez.Error.Failed", "Operation failed with ATT error: 0xzz", .failed),
      ("org.bluez.Error.Failed", "Not connected", .notConnected),
      ("org.bluez.Error.Failed", "", .failed),
      ("org.bluez.Error.NotPermitted", "Not paired", .pairingRequired),
      ("org.bluez.Error.NotPermitted", "Read not permitted", .attribute(.readNotPermitted)),
      ("org.bluez.Error.NotPermitted", "Write not permitted", .attribute(.writeNotPermitted)),
      ("org.bluez.Error.NotAuthorized", "", .attribute(.insufficientAuthorization)),
      ("org.bluez.Error.NotSupported", "", .attribute(.requestNotSupported)),
      ("org.bluez.Error.InvalidArguments", "Invalid offset", .attribute(.invalidOffset)),
      (
        "org.bluez.Error.InvalidArguments", "Invalid Length",
        .attribute(.invalidAttributeValueLength)
      ),
      ("org.bluez.Error.InProgress", "In Progress", .busy),
      ("org.freedesktop.DBus.Error.UnknownObject", "", .attributeNotFound),
      ("org.freedesktop.DBus.Error.NoReply", "", .timedOut),
      ("org.freedesktop.DBus.Local.Cancelled", "", .cancelled),
    ] as [(String, String, BluetoothError.Code)])
  func errorsOfAttributesAreTold(name: String, message: String, code: BluetoothError.Code) throws {
    let address = try #require(BluetoothAddress("AA:BB:CC:DD:EE:FF"))
    let error = BluetoothError(attribute: BusError(name: name, message: message), of: address)
    #expect(error.code == code)
  }

  @Test(
    arguments: [
      ("org.bluez.Error.Failed", "le-connection-abort-by-local", .connectionFailed),
      ("org.bluez.Error.Failed", "Software caused connection abort", .connectionFailed),
      ("org.bluez.Error.Failed", "le-connection-refused", .connectionRefused),
      ("org.bluez.Error.Failed", "le-connection-concurrent-connection-limit", .connectionRefused),
      ("org.bluez.Error.InProgress", "Operation already in progress", .connectionFailed),
      ("org.bluez.Error.NotReady", "Resource Not Ready", .poweredOff),
      ("org.bluez.Error.DoesNotExist", "", .unknownPeripheral),
      ("org.freedesktop.DBus.Error.UnknownObject", "", .unknownPeripheral),
      ("org.freedesktop.DBus.Error.NoReply", "", .timedOut),
      ("org.freedesktop.DBus.Error.AccessDenied", "", .unauthorized),
      ("org.bluez.Error.NotAvailable", "", .connectionRefused),
    ] as [(String, String, BluetoothError.Code)])
  func errorsOfConnectingAreTold(name: String, message: String, code: BluetoothError.Code) throws {
    let address = try #require(BluetoothAddress("AA:BB:CC:DD:EE:FF"))
    let error = BluetoothError(connecting: BusError(name: name, message: message), to: address)
    #expect(error.code == code)
    #expect(error.cause?.name == name)
  }

  @Test func aFailureNamesItsCause() {
    let error = BluetoothError(
      power: BusError(name: "org.bluez.Error.Blocked", message: "Blocked through rfkill"),
      of: "hci0")
    #expect(error.code == .blocked)
    #expect(
      error.description
        == "hci0 is blocked: see \"rfkill list\" and the machine's radio switch "
        + "(org.bluez.Error.Blocked: Blocked through rfkill)")
  }
}

extension ATTError {
  fileprivate init(_ code: UInt8) { self.init(rawValue: code) }
}
