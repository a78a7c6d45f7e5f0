internal import DBus

/// Where a characteristic is exported, and which one it is.
struct ExportedCharacteristic: Sendable {
  let path: ObjectPath
  let service: BluetoothUUID
  let characteristic: LocalCharacteristic
}

extension LocalTable {
  /// What the objects of a table need of their owner; called on the loop's thread.
  struct Delegate: Sendable {
    let read: @Sendable (ExportedCharacteristic, MethodCall) -> MethodOutcome
    let readDescription: @Sendable (String, MethodCall) -> MethodOutcome
    let write: @Sendable (ExportedCharacteristic, MethodCall) -> MethodOutcome
    let notify: @Sendable (ExportedCharacteristic, MethodCall, Bool) -> MethodOutcome
  }

  /// An object to export.
  struct Object: Sendable {
    let path: ObjectPath
    let interface: Interface
  }

  /// The objects below a root, and the characteristics among them.
  ///
  /// `Handle` is left out, since BlueZ 5.74 refuses it with 0, and so are the configuration
  /// descriptors, which bluetoothd makes.
  func objects(below root: ObjectPath, _ delegate: Delegate)
    -> (objects: [Object], characteristics: [ExportedCharacteristic])
  {
    var objects: [Object] = []
    var exported: [ExportedCharacteristic] = []
    for (number, service) in services.enumerated() {
      guard let path = root.appending("service\(number)") else { continue }
      objects.append(
        Object(
          path: path,
          interface: Interface(
            BlueZ.Interface.gattService,
            properties: [
              Property("UUID", .string(service.uuid.longText)), Property("Primary", .boolean(true)),
            ])))
      for (number, characteristic) in service.characteristics.enumerated() {
        guard let child = path.appending("characteristic\(number)") else { continue }
        let entry = ExportedCharacteristic(
          path: child, service: service.uuid, characteristic: characteristic)
        exported.append(entry)
        objects.append(
          Object(path: child, interface: Self.interface(of: entry, in: path, delegate)))
        if let text = characteristic.userDescription,
          let descriptor = child.appending("description")
        {
          objects.append(
            Object(path: descriptor, interface: Self.description(text, of: child, delegate)))
        }
      }
    }
    return (objects, exported)
  }

  private static func interface(
    of entry: ExportedCharacteristic, in service: ObjectPath, _ delegate: Delegate
  ) -> Interface {
    let properties = entry.characteristic.properties
    var methods: [Method] = []
    if properties.contains(.read) {
      methods.append(Method("ReadValue", in: "a{sv}", out: "ay") { delegate.read(entry, $0) })
    }
    if entry.characteristic.write != nil {
      methods.append(Method("WriteValue", in: "aya{sv}") { delegate.write(entry, $0) })
    }
    if !properties.isDisjoint(with: [.notify, .indicate]) {
      methods.append(Method("StartNotify") { delegate.notify(entry, $0, true) })
      methods.append(Method("StopNotify") { delegate.notify(entry, $0, false) })
    }
    if properties.contains(.indicate) {
      methods.append(Method("Confirm") { _ in .reply([]) })
    }
    return Interface(
      BlueZ.Interface.gattCharacteristic, methods: methods,
      properties: [
        Property("UUID", .string(entry.characteristic.uuid.longText)),
        Property("Service", .objectPath(service)),
        Property("Flags", .strings(properties.flags(entry.characteristic.permissions))),
      ])
  }

  private static func description(
    _ text: String, of characteristic: ObjectPath, _ delegate: Delegate
  ) -> Interface {
    Interface(
      BlueZ.Interface.gattDescriptor,
      methods: [
        Method("ReadValue", in: "a{sv}", out: "ay") { delegate.readDescription(text, $0) }
      ],
      properties: [
        Property("UUID", .string(BluetoothUUID(UInt16(0x2901)).longText)),
        Property("Characteristic", .objectPath(characteristic)),
        Property("Flags", .strings(["read"])),
      ])
  }
}
