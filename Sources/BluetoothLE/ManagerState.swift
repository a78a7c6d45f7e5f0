/// What a manager can do at the moment, in CoreBluetooth's words.
public enum ManagerState: String, Sendable, Hashable {
  /// Nobody has asked the system yet.
  case unknown
  /// The Bluetooth service is not running; the state changes when it comes back.
  case resetting
  /// There is no adapter, or the adapter cannot take this role.
  case unsupported
  /// The system does not let this process use Bluetooth.
  case unauthorized
  case poweredOff
  case poweredOn
}
