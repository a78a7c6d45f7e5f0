internal import DBus

/// Another adapter of the room, as one adapter knows it.
struct DeviceKey: Hashable {
  /// The adapter that knows.
  let adapter: UInt8
  /// The adapter that is known.
  let peer: UInt8

  /// The same pair from the other side.
  var reversed: DeviceKey { DeviceKey(adapter: peer, peer: adapter) }

  var link: LinkKey { LinkKey(adapter, peer) }
}

/// Two adapters that a link joins, whichever of them made it.
struct LinkKey: Hashable {
  let first: UInt8
  let second: UInt8

  init(_ a: UInt8, _ b: UInt8) {
    first = min(a, b)
    second = max(a, b)
  }

  var ends: [DeviceKey] {
    [DeviceKey(adapter: first, peer: second), DeviceKey(adapter: second, peer: first)]
  }

  func contains(_ adapter: UInt8) -> Bool { first == adapter || second == adapter }
}

/// A connection between two adapters.
struct Link {
  /// Tells it from an earlier one between the same adapters.
  let number: UInt64
  let mtu: UInt16
  /// The ends that know the other's services.
  var resolved: Set<UInt8> = []
}

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

/// A `GattService1` object of a remote device.
struct RemoteService {
  let attribute: ServiceAttribute
  let path: ObjectPath
}

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

/// A `GattDescriptor1` object of a remote device.
struct RemoteDescriptor {
  let attribute: DescriptorAttribute
  let characteristic: ObjectPath
  let path: ObjectPath
  var value: [UInt8]?
}
