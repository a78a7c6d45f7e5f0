internal import DBus
internal import MainLoop

extension SimulatedBlueZ {
  func advertisingManagerInterface(_ index: UInt8) -> Interface {
    Interface(
      BlueZ.Name.advertisingManager,
      methods: [
        method("RegisterAdvertisement", in: "oa{sv}") { $0.registerAdvertisement(index, $1) },
        method("UnregisterAdvertisement", in: "o") { bluez, call in
          guard let key = ApplicationKey(call), bluez.adapters[index]?.advertising[key] != nil
          else { return .error(.bluezDoesNotExist) }
          bluez.removeAdvertisement(key, from: index)
          return .reply([])
        },
      ],
      properties: [
        managerProperty("ActiveInstances", "y", index),
        managerProperty("SupportedInstances", "y", index),
        Property("SupportedIncludes", .strings(["tx-power", "appearance", "local-name"])),
      ])
  }

  private func managerProperty(_ name: String, _ type: StaticString, _ index: UInt8) -> Property {
    property(name, type, { $0.managerValue(name, index) })
  }

  private func managerValue(_ name: String, _ index: UInt8) -> Value? {
    guard let adapter = adapters[index] else { return nil }
    let count = adapter.advertising.count
    return .byte(
      UInt8(clamping: name == "ActiveInstances" ? count : Adapter.supportedAdvertisements - count))
  }

  private func managerChanged(_ index: UInt8) {
    guard let path = adapters[index]?.path else { return }
    for name in ["SupportedInstances", "ActiveInstances"] {
      changed(path, BlueZ.Name.advertisingManager, [name]) { managerValue($0, index) }
    }
  }

  private func registerAdvertisement(_ index: UInt8, _ call: MethodCall) -> MethodOutcome {
    guard let adapter = adapters[index], let key = ApplicationKey(call) else {
      return .error(.bluezInvalidArguments)
    }
    if adapter.advertising[key] != nil { return .error(.bluezAlreadyExists) }
    if adapter.advertising.count == Adapter.supportedAdvertisements {
      return .error(.bluezNotPermitted("Maximum advertisements reached"))
    }
    adapters[index]?.advertising[key] = Adapter.AdvertisingClient()
    run { bluez in
      let error = await bluez.admitAdvertisement(key, to: index)
      if error != nil { bluez.adapters[index]?.advertising[key] = nil }
      bluez.answer(call, error.map { .error($0) } ?? .reply([]))
    }
    return .later
  }

  /// Asks the program what it wants to advertise.
  ///
  /// - Returns: why it is refused.
  private func admitAdvertisement(_ key: ApplicationKey, to index: UInt8) async -> BusError? {
    let failure = BusError.bluezFailed("Failed to register advertisement")
    guard let bus else { return failure }
    // BlueZ asks for an object manager first, and goes on without one.
    _ = try? await bus.call(
      key.owner, key.root, StandardInterface.objectManager, "GetManagedObjects")
    do {
      let changes = try await bus.subscribe(
        MatchRule(
          sender: key.owner, path: key.root, interface: StandardInterface.properties,
          member: "PropertiesChanged")
      ) { [weak self] message in
        guard message.arguments.first?.asString == BlueZ.Name.advertisement,
          let values = message.arguments.dropFirst().first?.asDictionary
        else { return }
        self?.assumeIsolated { $0.updateAdvertisement(key, of: index, values) }
      }
      let reply = try await bus.call(
        key.owner, key.root, StandardInterface.properties, "GetAll",
        [.string(BlueZ.Name.advertisement)])
      guard let adapter = adapters[index], adapter.advertising[key] != nil,
        !refuses(.advertisement)
      else { return failure }
      let properties = reply.first?.asDictionary ?? [:]
      guard let advertisement = Advertisement(properties, alias: adapter.alias) else {
        return .bluezFailed("Failed to parse advertisement.")
      }
      adapters[index]?.advertising[key] = Adapter.AdvertisingClient(
        properties: properties, advertisement: advertisement, isOnAir: true, changes: changes)
      endAfterTimeout(key, of: index, advertisement)
      managerChanged(index)
      return nil
    } catch {
      return failure
    }
  }

  private func updateAdvertisement(
    _ key: ApplicationKey, of index: UInt8, _ values: [String: Value]
  ) {
    guard let adapter = adapters[index], let old = adapter.advertising[key]?.properties else {
      return
    }
    let properties = old.merging(values) { $1 }
    // What cannot be understood leaves the old one on the air, and nobody is told.
    guard let advertisement = Advertisement(properties, alias: adapter.alias) else { return }
    adapters[index]?.advertising[key]?.properties = properties
    adapters[index]?.advertising[key]?.advertisement = advertisement
  }

  private func endAfterTimeout(
    _ key: ApplicationKey, of index: UInt8, _ advertisement: Advertisement
  ) {
    guard advertisement.timeout > 0 else { return }
    loop.after(.seconds(Int(advertisement.timeout))) { [weak self] in
      self?.assumeIsolated { bluez in
        guard bluez.adapters[index]?.advertising[key]?.advertisement == advertisement else {
          return
        }
        bluez.releaseAdvertisement(key, of: index)
      }
    }
  }

  /// Ends an advertisement from BlueZ's side, and tells its program.
  func releaseAdvertisement(_ key: ApplicationKey, of index: UInt8) {
    post(
      AttributeOwner(application: key, path: key.root), BlueZ.Name.advertisement, "Release")
    removeAdvertisement(key, from: index)
  }

  func removeAdvertisement(_ key: ApplicationKey, from index: UInt8) {
    guard adapters[index]?.advertising.removeValue(forKey: key) != nil else { return }
    managerChanged(index)
  }
}
