internal import DBus

/// What the daemon is called on the system bus.
///
/// The digit counts up when programs that know the one before would break.
enum ControlBus {
  static let name = "org.wifiprovisioning.Daemon1"
  static let interface = "org.wifiprovisioning.Daemon1"
  static let path = ObjectPath(literal: "/org/wifiprovisioning/Daemon1")

  enum ErrorName {
    /// What was asked for is right, and failed.
    static let failed = "org.wifiprovisioning.Error.Failed"
    /// This device cannot do it.
    static let notSupported = "org.wifiprovisioning.Error.NotSupported"
  }
}
