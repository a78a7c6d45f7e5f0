internal import DBus

/// An error of the Attribute Protocol (Core Specification 5.4, volume 3, part F, 3.4.1.1).
struct ATTError: Error, Hashable {
  let code: UInt8

  static let readNotPermitted = ATTError(code: 0x02)
  static let writeNotPermitted = ATTError(code: 0x03)
  static let insufficientAuthentication = ATTError(code: 0x05)
  static let requestNotSupported = ATTError(code: 0x06)
  static let invalidOffset = ATTError(code: 0x07)
  static let insufficientAuthorization = ATTError(code: 0x08)
  static let invalidValueLength = ATTError(code: 0x0D)
  static let unlikely = ATTError(code: 0x0E)
  static let insufficientEncryption = ATTError(code: 0x0F)
  static let alreadyInProgress = ATTError(code: 0xFE)

  /// Whether a server's application was reading or writing.
  enum Access {
    case read
    case write
  }
}

extension ATTError {
  init(code: Int) { self.code = UInt8(truncatingIfNeeded: code) }

  /// What BlueZ sends to the client for an application's error (`dbus_error_to_att_ecode`).
  init(_ error: BusError, from access: Access) {
    switch error.name {
    case "org.bluez.Error.Failed":
      guard let number = Self.number(error.message) else { self = ATTError(code: 0x80); return }
      self = (0x80...0x9F).contains(number) ? ATTError(code: number) : .unlikely
    case "org.bluez.Error.NotSupported": self = .requestNotSupported
    case "org.bluez.Error.NotAuthorized": self = .insufficientAuthorization
    case "org.bluez.Error.InvalidValueLength": self = .invalidValueLength
    case "org.bluez.Error.InvalidOffset": self = .invalidOffset
    case "org.bluez.Error.InProgress": self = .alreadyInProgress
    case "org.bluez.Error.NotPermitted":
      self = access == .read ? .readNotPermitted : .writeNotPermitted
    default: self = .unlikely
    }
  }

  /// A whole text as C's `strtol` with base 0 reads it; nothing at all is 0.
  private static func number(_ text: String) -> Int? {
    if text.isEmpty { return 0 }
    let lower = text.lowercased()
    if lower.hasPrefix("0x") { return Int(lower.dropFirst(2), radix: 16) }
    if lower.hasPrefix("0"), lower.utf8.count > 1 { return Int(lower.dropFirst(), radix: 8) }
    return Int(lower)
  }

  /// What BlueZ tells the client's application (`create_gatt_dbus_error`).
  var busError: BusError {
    switch self {
    case .readNotPermitted: .bluezNotPermitted("Read not permitted")
    case .writeNotPermitted: .bluezNotPermitted("Write not permitted")
    case .insufficientAuthentication, .insufficientEncryption, ATTError(code: 0x0C):
      .bluezNotPermitted("Not paired")
    case .invalidOffset: .bluez("InvalidArguments", "Invalid offset")
    case .invalidValueLength: .bluez("InvalidArguments", "Invalid Length")
    case .insufficientAuthorization: .bluez("NotAuthorized", "Operation Not Authorized")
    case .requestNotSupported: .bluezNotSupported
    default: .bluezFailed("Operation failed with ATT error: 0x" + hexadecimal(code))
    }
  }
}
