internal import DBus

extension AdvertisementData {
  /// The object that bluetoothd reads the advertisement from.
  ///
  /// - Parameter release: runs on the loop's thread when bluetoothd has dropped it by itself.
  func interface(release: @escaping @Sendable () -> Void) -> Interface {
    var properties = [
      Property("Type", .string("peripheral")),
      // The flags, without which BlueZ's scanners pass a device over.
      Property("Discoverable", .boolean(true)),
    ]
    if !serviceUUIDs.isEmpty {
      properties.append(Property("ServiceUUIDs", .strings(serviceUUIDs.map(\.longText))))
    }
    if !serviceData.isEmpty {
      let values = serviceData.map { ($0.key.longText, Value.bytes($0.value)) }
      properties.append(
        Property("ServiceData", .properties(Dictionary(values) { first, _ in first })))
    }
    if !manufacturerData.isEmpty {
      properties.append(
        Property(
          "ManufacturerData",
          .dictionary(
            key: .uint16, value: .variant,
            manufacturerData.sorted { $0.key < $1.key }.map {
              .init(.uint16($0.key), .variant(.bytes($0.value)))
            })))
    }
    if let localName, !localName.isEmpty {
      properties.append(Property("LocalName", .string(AdvertisementBudget.fitting(localName))))
    }
    return Interface(
      BlueZ.Interface.advertisement,
      methods: [
        Method("Release") { _ in
          release()
          return .reply([])
        }
      ], properties: properties)
  }
}
