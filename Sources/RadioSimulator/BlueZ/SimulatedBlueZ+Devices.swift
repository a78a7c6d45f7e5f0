internal import DBus

/// `Device1` objects.
extension SimulatedBlueZ {
  func devicePath(_ key: DeviceKey, address: String) -> ObjectPath {
    let element = "dev_" + address.split(separator: ":").joined(separator: "_")
    return adapters[key.adapter]?.path.appending(element) ?? .root
  }

  func exportDevice(_ key: DeviceKey) {
    guard let device = devices[key] else { return }
    let names: [(String, StaticString)] = [
      ("Address", "s"), ("AddressType", "s"), ("Name", "s"), ("Appearance", "q"), ("Paired", "b"),
      ("Bonded", "b"), ("LegacyPairing", "b"), ("RSSI", "n"), ("Connected", "b"),
      ("UUIDs", "as"), ("Adapter", "o"), ("ManufacturerData", "a{qv}"), ("ServiceData", "a{sv}"),
      ("TxPower", "n"), ("ServicesResolved", "b"),
    ]
    export(
      device.path,
      [
        Interface(
          BlueZ.Name.device,
          methods: [
            method("Connect") { $0.connect(key, $1) },
            method("Disconnect") { $0.disconnect(key, $1) },
            method("Pair") { $0.pair(key, $1) },
            method("CancelPairing") { bluez, _ in bluez.cancelPairing(key) },
          ],
          properties: names.map { name, type in
            property(name, type, { $0.deviceValue(name, key) })
          } + [
            property("Alias", "s", { $0.deviceValue("Alias", key) }) { bluez, value in
              let text = value.asString ?? ""
              bluez.devices[key]?.ownAlias = text.isEmpty ? nil : text
              bluez.deviceChanged(key, ["Alias"])
              return nil
            },
            property("Trusted", "b", { $0.deviceValue("Trusted", key) }) { bluez, value in
              bluez.devices[key]?.isTrusted = value.asBool ?? false
              bluez.deviceChanged(key, ["Trusted"])
              return nil
            },
            property("Blocked", "b", { $0.deviceValue("Blocked", key) }) { bluez, value in
              bluez.devices[key]?.isBlocked = value.asBool ?? false
              bluez.deviceChanged(key, ["Blocked"])
              return nil
            },
          ])
      ])
  }

  func deviceChanged(_ key: DeviceKey, _ names: [String]) {
    guard let path = devices[key]?.path else { return }
    changed(path, BlueZ.Name.device, names) { deviceValue($0, key) }
  }

  private func deviceValue(_ name: String, _ key: DeviceKey) -> Value? {
    guard let device = devices[key] else { return nil }
    switch name {
    case "Address": return .string(device.address)
    case "AddressType": return .string("public")
    case "Name": return device.name.map { .string($0) }
    case "Alias": return .string(device.alias)
    case "Appearance": return device.appearance.map { .uint16($0) }
    case "Paired", "Bonded": return .boolean(bonds[key] != nil)
    case "LegacyPairing": return .boolean(false)
    case "Trusted": return .boolean(device.isTrusted)
    case "Blocked": return .boolean(device.isBlocked)
    case "RSSI": return device.rssi.map { .int16($0) }
    case "TxPower": return device.transmitPower.map { .int16($0) }
    case "Connected": return .boolean(device.isConnected)
    case "UUIDs": return .strings(device.uuids.map(\.text))
    case "Adapter": return adapters[key.adapter].map { .objectPath($0.path) }
    case "ServicesResolved": return .boolean(device.isResolved)
    case "ManufacturerData":
      guard !device.manufacturerData.isEmpty else { return nil }
      return .dictionary(
        key: .uint16, value: .variant,
        device.manufacturerData.sorted { $0.key < $1.key }.map {
          .init(.uint16($0.key), .variant(.bytes($0.value)))
        })
    case "ServiceData":
      guard !device.serviceData.isEmpty else { return nil }
      return .properties(
        device.serviceData.reduce(into: [:]) { $0[$1.key.text] = .bytes($1.value) })
    default: return nil
    }
  }

  func removeDevice(_ index: UInt8, _ call: MethodCall) -> MethodOutcome {
    guard let path = call.arguments.first?.asObjectPath,
      let key = devices.first(where: { $0.key.adapter == index && $0.value.path == path })?.key
    else { return .error(.bluezDoesNotExist) }
    guard adapters[index]?.isPowered == true else { return .error(.bluezNotReady) }
    bonds[key] = nil
    guard links[key.link] != nil else {
      removeDevice(key)
      return .reply([])
    }
    devices[key]?.isToBeRemoved = true
    return disconnect(key, call)
  }

  /// Takes a device's object away, with all below it.
  func removeDevice(_ key: DeviceKey) {
    endAttempt(key, .error(.bluezFailed("br-connection-canceled")))
    for handle in devices[key]?.services.keys.sorted() ?? [] { removeService(handle, of: key) }
    guard let device = devices.removeValue(forKey: key) else { return }
    unexport(device.path)
  }
}
