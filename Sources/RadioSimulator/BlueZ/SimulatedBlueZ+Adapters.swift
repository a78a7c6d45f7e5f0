internal import DBus
internal import MainLoop

extension SimulatedBlueZ {
  func adapterInterface(_ index: UInt8) -> Interface {
    Interface(
      BlueZ.Name.adapter,
      methods: [
        method("StartDiscovery") { $0.startDiscovery(index, $1) },
        method("StopDiscovery") { $0.stopDiscovery(index, $1) },
        method("SetDiscoveryFilter", in: "a{sv}") { $0.setDiscoveryFilter(index, $1) },
        method("GetDiscoveryFilters", out: "as") { _, _ in
          .reply([.strings(DiscoveryFilter.keys)])
        },
        method("RemoveDevice", in: "o") { $0.removeDevice(index, $1) },
      ],
      properties: [
        adapterProperty("Address", "s", index),
        adapterProperty("AddressType", "s", index),
        adapterProperty("Name", "s", index),
        adapterProperty("Alias", "s", index) { bluez, value in bluez.setAlias(value, of: index) },
        adapterProperty("Class", "u", index),
        adapterProperty("Powered", "b", index) { bluez, value in bluez.setPowered(value, of: index)
        },
        adapterProperty("Discoverable", "b", index) { bluez, value in
          guard bluez.adapters[index]?.isPowered == true else { return .bluezNotReady }
          bluez.adapters[index]?.isDiscoverable = value.asBool ?? false
          bluez.adapterChanged(index, ["Discoverable"])
          return nil
        },
        adapterProperty("DiscoverableTimeout", "u", index) { bluez, value in
          bluez.adapters[index]?.discoverableTimeout = UInt32(clamping: value.asInteger ?? 0)
          bluez.adapterChanged(index, ["DiscoverableTimeout"])
          return nil
        },
        adapterProperty("Pairable", "b", index) { bluez, value in
          bluez.adapters[index]?.isPairable = value.asBool ?? false
          bluez.adapterChanged(index, ["Pairable"])
          return nil
        },
        adapterProperty("PairableTimeout", "u", index) { bluez, value in
          bluez.adapters[index]?.pairableTimeout = UInt32(clamping: value.asInteger ?? 0)
          bluez.adapterChanged(index, ["PairableTimeout"])
          return nil
        },
        adapterProperty("Discovering", "b", index),
        adapterProperty("UUIDs", "as", index),
        adapterProperty("Modalias", "s", index),
        adapterProperty("Roles", "as", index),
      ])
  }

  func adapterChanged(_ index: UInt8, _ names: [String]) {
    guard let path = adapters[index]?.path else { return }
    changed(path, BlueZ.Name.adapter, names) { adapterValue($0, index) }
  }

  private func adapterProperty(
    _ name: String, _ type: StaticString, _ index: UInt8,
    set: (@Sendable (isolated SimulatedBlueZ, Value) -> BusError?)? = nil
  ) -> Property {
    property(name, type, { $0.adapterValue(name, index) }, set: set)
  }

  private func adapterValue(_ name: String, _ index: UInt8) -> Value? {
    guard let adapter = adapters[index] else { return nil }
    switch name {
    case "Address": return .string(adapter.radio.address)
    case "AddressType": return .string("public")
    case "Name": return .string(Self.hostName)
    case "Alias": return .string(adapter.alias)
    case "Class": return .uint32(0)
    case "Powered": return .boolean(adapter.isPowered)
    case "Discoverable": return .boolean(adapter.isDiscoverable)
    case "DiscoverableTimeout": return .uint32(adapter.discoverableTimeout)
    case "Pairable": return .boolean(adapter.isPairable)
    case "PairableTimeout": return .uint32(adapter.pairableTimeout)
    case "Discovering": return .boolean(adapter.isDiscovering)
    case "UUIDs":
      let own = adapter.radio.hasLowEnergy ? [UUIDText(assigned: 0x1800)] + adapter.table.uuids : []
      return .strings(own.map(\.text))
    case "Modalias": return .string("usb:v1D6Bp0246d0542")
    case "Roles": return .strings(adapter.radio.hasLowEnergy ? ["central", "peripheral"] : [])
    default: return nil
    }
  }

  private func setAlias(_ value: Value, of index: UInt8) -> BusError? {
    guard let text = value.asString else { return .bluezInvalidArguments }
    // An empty alias gives the name back.
    let alias = text.isEmpty ? Self.hostName : text
    remember(alias: text.isEmpty ? nil : text, of: index)
    adapters[index]?.alias = alias
    adapterChanged(index, ["Alias"])
    return nil
  }

  private func setPowered(_ value: Value, of index: UInt8) -> BusError? {
    guard let adapter = adapters[index], let isPowered = value.asBool else {
      return .bluezInvalidArguments
    }
    if adapter.isPowerChanging { return .bluez("Busy") }
    if adapter.isPowered == isPowered { return nil }
    if isPowered && blocked.contains(index) { return .bluez("Blocked", "Blocked through rfkill") }
    adapters[index]?.isPowerChanging = true
    // BlueZ answers before it tells of the change.
    loop.after(.zero) { [weak self] in
      self?.assumeIsolated { $0.changePower(of: index, to: isPowered) }
    }
    return nil
  }

  func changePower(of index: UInt8, to isPowered: Bool) {
    guard let adapter = adapters[index] else { return }
    adapters[index]?.isPowerChanging = false
    if adapter.isPowered == isPowered { return }
    if isPowered {
      adapters[index]?.isPowered = true
      return adapterChanged(index, ["Powered"])
    }
    for (key, device) in devices
    where key.adapter == index && device.isTemporary && !device.isConnected {
      removeDevice(key)
    }
    adapters[index]?.isPowered = false
    adapterChanged(index, ["Powered"])
    goOffAir(index)
  }

  /// Ends all that needs the radio.
  func goOffAir(_ index: UInt8) {
    dropLinks(of: index)
    for key in connecting.keys where key.adapter == index {
      endAttempt(key, .error(.bluezFailed("br-connection-canceled")))
    }
    for name in adapters[index]?.discovery.keys.sorted() ?? [] {
      endDiscovery(of: name, on: index, forgetFilter: true)
    }
    // Programs are not told; some controllers bring these back with the power, this one does not.
    for key in adapters[index]?.advertising.keys.map({ $0 }) ?? [] {
      adapters[index]?.advertising[key]?.isOnAir = false
    }
  }
}
