internal import DBus

/// A `GattCharacteristic1` object of a remote device.
struct RemoteCharacteristic {
  let attribute: CharacteristicAttribute
  let service: ObjectPath
  let path: ObjectPath
  /// The last value read or notified.
  var value: [UInt8]?
  var isNotifying = false
  /// The programs that called `StartNotify`; whether they were answered.
  var sessions: [String: Bool] = [:]
}
