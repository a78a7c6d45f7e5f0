internal import DBus
internal import Synchronization

/// Numbers for the paths of exported objects.
///
/// No path is used twice in a process: bluetoothd may not have let go of the object before.
enum ExportNumber {
  private static let last = Atomic<UInt32>(0)

  /// A path that was not used before, such as `/BluetoothLE/application1`.
  static func path(_ kind: String) -> ObjectPath? {
    let number = last.add(1, ordering: .relaxed).newValue
    return ObjectPath("/BluetoothLE/\(kind)\(number)")
  }
}
