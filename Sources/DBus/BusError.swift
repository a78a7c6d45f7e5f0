/// What went wrong on the bus: a name that programs compare and a message that people read.
package struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The D-Bus error name, such as `org.freedesktop.DBus.Error.NoReply`.
  package let name: String
  /// The peer's or the library's explanation; may be empty.
  package let message: String

  package init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  package var description: String { message.isEmpty ? name : "\(name): \(message)" }
}

extension BusError {
  /// Names that the D-Bus specification defines ("Standard errors") and libdbus uses.
  package enum Name {
    package static let failed = "org.freedesktop.DBus.Error.Failed"
    package static let noMemory = "org.freedesktop.DBus.Error.NoMemory"
    package static let noReply = "org.freedesktop.DBus.Error.NoReply"
    package static let timeout = "org.freedesktop.DBus.Error.Timeout"
    package static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
    package static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
    package static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
    package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
    package static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
    package static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
    package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
    package static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
    package static let unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
    package static let propertyReadOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
    /// Ours, never on the wire: the calling task was cancelled.
    package static let cancelled = "org.freedesktop.DBus.Local.Cancelled"
  }

  package static let cancelled = BusError(name: Name.cancelled, message: "the call was cancelled")
  package static let disconnected = BusError(
    name: Name.disconnected, message: "the connection to the bus is closed")
  static let noMemory = BusError(name: Name.noMemory, message: "")

  package static func invalidArguments(_ message: String) -> BusError {
    BusError(name: Name.invalidArguments, message: message)
  }

  /// Whether nobody owns the name that was called.
  package var isServiceMissing: Bool { name == Name.serviceUnknown || name == Name.nameHasNoOwner }
}
