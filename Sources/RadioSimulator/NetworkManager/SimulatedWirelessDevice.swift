internal import DBus

/// The state of the simulated Wi-Fi device.
struct SimulatedWirelessDevice {
  static let interface = "wlan0"
  static let address = "02:00:00:00:00:00"

  /// Nil while there is none.
  var path: ObjectPath?
  var state = DeviceState.unmanaged
  var reason = DeviceStateReason.none
  var ip4Config: ObjectPath?
  var ip6Config: ObjectPath?
  var activeAccessPoint: ObjectPath?
  /// `CLOCK_BOOTTIME` in milliseconds; -1 before the first scan.
  var lastScan: Int64 = -1
  var isScanning = false
  /// The networks that the next scan asks for by name.
  var wantedSSIDs: Set<[UInt8]> = []
  /// Whether it connects to nothing by itself, since somebody has disconnected it.
  var isBlocked = false
}
