/// The services as they are published, checked.
struct LocalTable: Sendable {
  /// The longest value of an attribute (Core Specification, Vol 3, Part F, 3.2.9).
  static let maximumValueLength = 512
  /// bluetoothd's own: GAP and GATT.
  private static let reserved: Set<BluetoothUUID> = [
    BluetoothUUID(UInt16(0x1800)), BluetoothUUID(UInt16(0x1801)),
  ]
  private static let supported: CharacteristicProperties = [
    .read, .write, .writeWithoutResponse, .notify, .indicate,
  ]

  let services: [LocalService]

  /// - Throws: `invalidArguments` for what BlueZ would refuse or do otherwise than it says.
  init(_ services: [LocalService]) throws(BluetoothError) {
    self.services = services
    var known: Set<BluetoothUUID> = []
    for service in services {
      guard known.insert(service.uuid).inserted else {
        throw Self.invalid("the service \(service.uuid) is there twice")
      }
      guard !Self.reserved.contains(service.uuid) else {
        throw Self.invalid("the service \(service.uuid) is bluetoothd's own")
      }
      var inside: Set<BluetoothUUID> = []
      for characteristic in service.characteristics {
        guard inside.insert(characteristic.uuid).inserted else {
          throw Self.invalid("the characteristic \(characteristic.uuid) is there twice")
        }
        if let fault = Self.fault(in: characteristic) {
          throw Self.invalid("the characteristic \(characteristic.uuid) \(fault)")
        }
      }
    }
  }

  private static func fault(in characteristic: LocalCharacteristic) -> String? {
    let properties = characteristic.properties
    let writes: CharacteristicProperties = [.write, .writeWithoutResponse]
    if properties.isEmpty || !properties.isSubset(of: supported) {
      return "has no property, or one that is not supported"
    }
    if properties.isSuperset(of: writes) {
      return "has both writes: bluetoothd would acknowledge a write before it is handled"
    }
    if properties.contains(.read) != (characteristic.value != nil) {
      return "is readable without a value, or has one that nobody can read"
    }
    if properties.isDisjoint(with: writes) == (characteristic.write != nil) {
      return "is writable without a handler, or has one that is never called"
    }
    if !characteristic.permissions.needed.isSubset(of: properties) {
      return "asks for a better link for what nobody can do, or for a write without response"
    }
    if case .fixed(let bytes)? = characteristic.value, bytes.count > maximumValueLength {
      return "has a value of more than \(maximumValueLength) bytes"
    }
    if let text = characteristic.userDescription, text.utf8.count > maximumValueLength {
      return "has a description of more than \(maximumValueLength) bytes"
    }
    return nil
  }

  private static func invalid(_ message: String) -> BluetoothError {
    BluetoothError(.invalidArguments, message)
  }
}
