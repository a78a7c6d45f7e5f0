internal import DBus

/// The client's side: the objects that mirror what a peer offers.
extension SimulatedBlueZ {
  /// Brings the objects into line with the peer's table.
  func mirror(_ key: DeviceKey) {
    guard let device = devices[key] else { return }
    let services = adapters[key.peer]?.table.services ?? []
    for (handle, old) in device.services.sorted(by: { $0.key < $1.key })
    where !services.contains(where: { $0.looksLike(old.attribute) }) {
      removeService(handle, of: key)
    }
    let uuids = services.filter(\.isPrimary).map(\.uuid) + [UUIDText(assigned: 0x1800)]
    if Set(uuids) != Set(device.serviceUUIDs) {
      devices[key]?.serviceUUIDs = uuids
      deviceChanged(key, ["UUIDs"])
    }
    for service in services where devices[key]?.services[service.handle] == nil {
      addService(service, to: key, at: device.path)
    }
  }

  private func addService(_ service: ServiceAttribute, to key: DeviceKey, at parent: ObjectPath) {
    guard let path = Self.path(parent, "service", service.handle) else { return }
    devices[key]?.services[service.handle] = RemoteService(attribute: service, path: path)
    export(path, [serviceInterface(service, key, at: parent)])
    for characteristic in service.characteristics {
      guard let inner = Self.path(path, "char", characteristic.handle) else { continue }
      devices[key]?.characteristics[characteristic.handle] = RemoteCharacteristic(
        attribute: characteristic, service: path, path: inner)
      let attribute = AttributeKey(device: key, handle: characteristic.handle)
      export(inner, [characteristicInterface(attribute)])
      for descriptor in characteristic.descriptors {
        guard let leaf = Self.path(inner, "desc", descriptor.handle) else { continue }
        devices[key]?.descriptors[descriptor.handle] = RemoteDescriptor(
          attribute: descriptor, characteristic: inner, path: leaf)
        export(leaf, [descriptorInterface(AttributeKey(device: key, handle: descriptor.handle))])
      }
    }
  }

  func removeService(_ handle: UInt16, of key: DeviceKey) {
    guard let service = devices[key]?.services.removeValue(forKey: handle) else { return }
    for characteristic in service.attribute.characteristics {
      for descriptor in characteristic.descriptors {
        forgetAccesses(AttributeKey(device: key, handle: descriptor.handle))
        if let old = devices[key]?.descriptors.removeValue(forKey: descriptor.handle) {
          unexport(old.path)
        }
      }
      forgetAccesses(AttributeKey(device: key, handle: characteristic.handle))
      if let old = devices[key]?.characteristics.removeValue(forKey: characteristic.handle) {
        unexport(old.path)
      }
    }
    unexport(service.path)
  }

  private static func path(_ parent: ObjectPath, _ kind: String, _ handle: UInt16) -> ObjectPath? {
    parent.appending(kind + hexadecimal(handle, digits: 4))
  }

  // MARK: - The objects

  private func serviceInterface(
    _ service: ServiceAttribute, _ key: DeviceKey, at device: ObjectPath
  ) -> Interface {
    Interface(
      BlueZ.Name.service,
      properties: [
        Property("UUID", .string(service.uuid.text)),
        Property("Device", .objectPath(device)),
        Property("Primary", .boolean(service.isPrimary)),
        property("Includes", "ao") { bluez in
          let included = bluez.devices[key]?.services.values.filter { other in
            guard let path = other.attribute.owner?.path else { return false }
            return service.includes.contains(path)
          }
          return .objectPaths(included?.map(\.path).sorted() ?? [])
        },
      ])
  }

  private func characteristicInterface(_ key: AttributeKey) -> Interface {
    let names: [(String, StaticString)] = [
      ("UUID", "s"), ("Service", "o"), ("Value", "ay"), ("Notifying", "b"), ("Flags", "as"),
      ("MTU", "q"),
    ]
    return Interface(
      BlueZ.Name.characteristic,
      methods: [
        method("ReadValue", in: "a{sv}", out: "ay") { $0.readValue(key, $1) },
        method("WriteValue", in: "aya{sv}") { $0.writeValue(key, $1) },
        method("StartNotify") { $0.startNotify(key, $1) },
        method("StopNotify") { $0.stopNotify(key, $1) },
      ],
      properties: names.map { name, type in
        property(name, type, { $0.characteristicValue(name, key) })
      })
  }

  private static let flagOrder = [
    "broadcast", "read", "write-without-response", "write", "notify", "indicate",
    "authenticated-signed-writes", "extended-properties", "reliable-write",
    "writable-auxiliaries",
  ]

  private func characteristicValue(_ name: String, _ key: AttributeKey) -> Value? {
    guard let characteristic = devices[key.device]?.characteristics[key.handle] else { return nil }
    let flags = characteristic.attribute.flags
    switch name {
    case "UUID": return .string(characteristic.attribute.uuid.text)
    case "Service": return .objectPath(characteristic.service)
    case "Value": return characteristic.value.map { .bytes($0) }
    case "Notifying": return flags.isNotifying ? .boolean(characteristic.isNotifying) : nil
    case "Flags": return .strings(Self.flagOrder.filter { flags.properties.contains($0) })
    case "MTU": return links[key.device.link].map { .uint16($0.mtu) }
    default: return nil
    }
  }

  func characteristicChanged(_ key: AttributeKey, _ names: [String]) {
    guard let path = devices[key.device]?.characteristics[key.handle]?.path else { return }
    changed(path, BlueZ.Name.characteristic, names) { characteristicValue($0, key) }
  }

  private func descriptorInterface(_ key: AttributeKey) -> Interface {
    let names: [(String, StaticString)] = [
      ("UUID", "s"), ("Characteristic", "o"), ("Value", "ay"),
    ]
    return Interface(
      BlueZ.Name.descriptor,
      methods: [
        method("ReadValue", in: "a{sv}", out: "ay") { $0.readValue(key, $1) },
        method("WriteValue", in: "aya{sv}") { $0.writeValue(key, $1) },
      ],
      properties: names.map { name, type in
        property(name, type, { $0.descriptorValue(name, key) })
      })
  }

  func descriptorValue(_ name: String, _ key: AttributeKey) -> Value? {
    guard let descriptor = devices[key.device]?.descriptors[key.handle] else { return nil }
    switch name {
    case "UUID": return .string(descriptor.attribute.uuid.text)
    case "Characteristic": return .objectPath(descriptor.characteristic)
    case "Value": return descriptor.value.map { .bytes($0) }
    default: return nil
    }
  }
}
