internal import DBus

extension AdvertisementData {
  /// What bluetoothd has gathered from a device's advertisements and scan responses.
  init(device properties: ManagedObjects.Properties) {
    self.init(
      localName: properties["Name"]?.asString,
      serviceUUIDs: (properties["UUIDs"]?.asStrings ?? []).compactMap { BluetoothUUID($0) },
      serviceData: Self.bytes(properties["ServiceData"]) { key in
        key.asString.flatMap { BluetoothUUID($0) }
      },
      manufacturerData: Self.bytes(properties["ManufacturerData"]) { key in
        key.asInteger.flatMap { UInt16(exactly: $0) }
      },
      txPowerLevel: properties["TxPower"]?.asInteger)
  }

  private static func bytes<Key: Hashable>(_ value: Value?, key: (Value) -> Key?)
    -> [Key: [UInt8]]
  {
    var result: [Key: [UInt8]] = [:]
    for entry in value?.asEntries ?? [] {
      if let key = key(entry.key), let bytes = entry.value.asBytes { result[key] = bytes }
    }
    return result
  }

  /// Whether it names one of the services; each advertisement does where none is asked for.
  func offers(anyOf services: [BluetoothUUID]) -> Bool {
    services.isEmpty
      || services.contains { serviceUUIDs.contains($0) || serviceData[$0] != nil }
  }
}
