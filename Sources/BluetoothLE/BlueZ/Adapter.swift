internal import DBus

/// An adapter as BlueZ describes it.
struct Adapter: Sendable, Hashable {
  /// The unique name of the bluetoothd that offers it.
  let owner: String
  let path: ObjectPath
  let interfaces: Set<String>
  let properties: ManagedObjects.Properties
  /// Why it could not be switched on.
  var powerError: BluetoothError?

  var address: String? { properties["Address"]?.asString }
  var name: String { String(path.lastElement) }
  var isPowered: Bool { properties["Powered"]?.asBool == true }
  var isDiscovering: Bool { properties["Discovering"]?.asBool == true }

  /// Whether it has what a role needs.
  func canTake(_ role: Role) -> Bool {
    guard role.interfaces.isSubset(of: interfaces) else { return false }
    // BlueZ before 5.54 does not tell the roles.
    guard let roles = properties["Roles"]?.asStrings else { return true }
    return roles.contains(role.rawValue)
  }

  /// What an adapter is used for, as BlueZ names it.
  enum Role: String {
    case central
    case peripheral

    /// What must be there; each may come a moment after the adapter.
    var interfaces: Set<String> {
      switch self {
      case .central: [BlueZ.Interface.adapter]
      case .peripheral:
        [
          BlueZ.Interface.adapter, BlueZ.Interface.gattManager,
          BlueZ.Interface.advertisingManager,
        ]
      }
    }
  }
}
