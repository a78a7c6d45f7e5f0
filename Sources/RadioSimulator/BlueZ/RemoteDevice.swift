internal import DBus

/// A `Device1` object.
struct RemoteDevice {
  let address: String
  let path: ObjectPath
  var name: String?
  /// What a program called it.
  var ownAlias: String?
  var rssi: Int16?
  var transmitPower: Int16?
  var appearance: UInt16?
  var advertisedUUIDs: [UUIDText] = []
  var serviceUUIDs: [UUIDText] = []
  var serviceData: [UUIDText: [UInt8]] = [:]
  var manufacturerData: [UInt16: [UInt8]] = [:]
  var isConnected = false
  var isResolved = false
  var isTrusted = false
  var isBlocked = false
  /// Whether it goes away when it is no longer heard.
  var isTemporary = true
  var lastHeard = ContinuousClock.now
  var isExpiryScheduled = false
  var isDisconnecting = false
  /// `Disconnect` and `RemoveDevice` calls that wait for the link's end.
  var disconnectCalls: [MethodCall] = []
  var isToBeRemoved = false
  /// What the peer offers, by handle; it outlives the link.
  var services: [UInt16: RemoteService] = [:]
  var characteristics: [UInt16: RemoteCharacteristic] = [:]
  var descriptors: [UInt16: RemoteDescriptor] = [:]

  var alias: String {
    ownAlias ?? name ?? address.split(separator: ":").joined(separator: "-")
  }

  var uuids: [UUIDText] {
    Array(Set(advertisedUUIDs).union(serviceUUIDs)).sorted { $0.text < $1.text }
  }
}
