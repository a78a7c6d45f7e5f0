/// The interfaces that the D-Bus specification defines ("Standard interfaces").
package enum StandardInterface {
  package static let introspectable = "org.freedesktop.DBus.Introspectable"
  package static let properties = "org.freedesktop.DBus.Properties"
  package static let objectManager = "org.freedesktop.DBus.ObjectManager"
}

/// The bus itself.
enum MessageBus {
  static let name = "org.freedesktop.DBus"
  static let interface = "org.freedesktop.DBus"
  static let path = ObjectPath(unchecked: "/org/freedesktop/DBus")
}
