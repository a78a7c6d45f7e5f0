internal import DBus

/// The server's side: applications, and asking them for values.
extension SimulatedBlueZ {
  /// The longest value that an attribute has (Core Specification, volume 3, part F, 3.2.9).
  private static let maximumValueLength = 512

  func gattManagerInterface(_ index: UInt8) -> Interface {
    Interface(
      BlueZ.Name.gattManager,
      methods: [
        method("RegisterApplication", in: "oa{sv}") { $0.registerApplication(index, $1) },
        method("UnregisterApplication", in: "o") { bluez, call in
          guard let key = ApplicationKey(call), bluez.adapters[index]?.applications[key] != nil
          else { return .error(.bluezDoesNotExist) }
          bluez.removeApplication(key, from: index)
          return .reply([])
        },
      ])
  }

  private func registerApplication(_ index: UInt8, _ call: MethodCall) -> MethodOutcome {
    guard let adapter = adapters[index], let key = ApplicationKey(call) else {
      return .error(.bluezInvalidArguments)
    }
    if adapter.applications[key] != nil { return .error(.bluezAlreadyExists) }
    adapters[index]?.applications[key] = .some(nil)
    run { bluez in
      do throws(BusError) {
        try await bluez.admitApplication(key, to: index)
        bluez.answer(call, .reply([]))
      } catch {
        bluez.adapters[index]?.applications[key] = nil
        bluez.answer(call, .error(error))
      }
    }
    return .later
  }

  private func admitApplication(_ key: ApplicationKey, to index: UInt8) async throws(BusError) {
    guard let bus else { throw .disconnected }
    let changes = try await bus.subscribe(
      MatchRule(
        sender: key.owner, pathNamespace: key.root, interface: StandardInterface.properties,
        member: "PropertiesChanged")
    ) { [weak self] message in
      guard message.arguments.first?.asString == BlueZ.Name.characteristic,
        let value = message.arguments.dropFirst().first?.asDictionary?["Value"]?.asBytes,
        let path = message.path
      else { return }
      self?.assumeIsolated {
        $0.notify(AttributeOwner(application: key, path: path), value)
      }
    }
    let objects: Value?
    do {
      objects = try await bus.call(
        key.owner, key.root, StandardInterface.objectManager, "GetManagedObjects"
      ).first
    } catch {
      objects = nil
    }
    let application = try GATTApplication(objects, key: key)
    guard adapters[index]?.applications[key] != nil else { throw .disconnected }
    if refuses(.application) || adapters[index]?.table.add(application.services) != true {
      throw .bluezFailed("Failed to create entry in database")
    }
    adapters[index]?.applications[key] = .some(changes)
    adapterChanged(index, ["UUIDs"])
    tableChanged(of: index)
  }

  func removeApplication(_ key: ApplicationKey, from index: UInt8) {
    guard adapters[index]?.applications.removeValue(forKey: key) != nil else { return }
    adapters[index]?.table.remove { $0.owner?.application == key }
    adapterChanged(index, ["UUIDs"])
    tableChanged(of: index)
  }

  /// Lets the peers that are connected find out what changed.
  private func tableChanged(of index: UInt8) {
    for (key, link) in links where key.contains(index) {
      for end in key.ends where end.peer == index && link.resolved.contains(end.adapter) {
        run { bluez in
          await bluez.pause(bluez.timing.latency * 2)
          guard bluez.links[key]?.number == link.number else { return }
          bluez.mirror(end)
        }
      }
    }
  }

  // MARK: - Asking

  /// Reads an attribute as a server does for one packet of a client.
  ///
  /// - Parameter key: the client's view of the server.
  func serveRead(_ key: AttributeKey, offset: Int) async throws(ATTError) -> [UInt8] {
    guard let table = adapters[key.device.peer]?.table else { throw .unlikely }
    let need: LinkNeed?
    let owner: AttributeOwner?
    let interface: String
    if let characteristic = table.characteristic(declaredAt: key.handle) {
      (need, owner) = (characteristic.flags.readNeed, characteristic.owner)
      interface = BlueZ.Name.characteristic
    } else if let descriptor = table.descriptor(at: key.handle) {
      (need, owner) = (descriptor.readNeed, descriptor.owner)
      interface = BlueZ.Name.descriptor
    } else {
      throw .unlikely
    }
    guard let need else { throw .readNotPermitted }
    try await demand(need, on: key.device)
    guard let owner else { return configuration(key, in: table) }
    let reply = try await ask(
      owner, interface, "ReadValue", [options(key.device, offset: offset)], from: .read)
    guard case .bytes(let value) = reply.first else { throw .requestNotSupported }
    return Array(value.prefix(Self.maximumValueLength))
  }

  /// Writes an attribute as a server does for one request, or for the end of a long write.
  func serveWrite(_ key: AttributeKey, _ value: [UInt8], offset: Int) async throws(ATTError) {
    guard let table = adapters[key.device.peer]?.table else { throw .unlikely }
    let need: LinkNeed?
    let owner: AttributeOwner?
    let interface: String
    var isAnswered = true
    if let characteristic = table.characteristic(declaredAt: key.handle) {
      (need, owner) = (characteristic.flags.writeNeed, characteristic.owner)
      interface = BlueZ.Name.characteristic
      isAnswered = !characteristic.flags.properties.contains("write-without-response")
    } else if let descriptor = table.descriptor(at: key.handle) {
      (need, owner) = (descriptor.writeNeed, descriptor.owner)
      interface = BlueZ.Name.descriptor
    } else {
      throw .unlikely
    }
    guard let need else { throw .writeNotPermitted }
    try await demand(need, on: key.device)
    guard offset + value.count <= Self.maximumValueLength else { throw .invalidValueLength }
    guard let owner, let bus else { throw .unlikely }
    let arguments: [Value] = [.bytes(value), options(key.device, offset: offset)]
    guard isAnswered else {
      // BlueZ says yes at once, and nobody hears what the application answers.
      try? await bus.post(
        owner.application.owner, owner.path, interface, "WriteValue", arguments)
      return
    }
    let reply = try await ask(owner, interface, "WriteValue", arguments, from: .write)
    if !reply.isEmpty { throw .requestNotSupported }
  }

  private func ask(
    _ owner: AttributeOwner, _ interface: String, _ member: String, _ arguments: [Value],
    from access: ATTError.Access
  ) async throws(ATTError) -> [Value] {
    guard let bus else { throw .unlikely }
    do throws(BusError) {
      return try await bus.call(
        owner.application.owner, owner.path, interface, member, arguments,
        timeout: timing.attributeTimeout)
    } catch {
      throw ATTError(error, from: access)
    }
  }

  /// The options that the application is given, with the client's object on the server's adapter.
  private func options(_ key: DeviceKey, offset: Int) -> Value {
    var options: [String: Value] = ["link": .string("LE")]
    if let device = devices[key.reversed] { options["device"] = .objectPath(device.path) }
    if let link = links[key.link] { options["mtu"] = .uint16(link.mtu) }
    if offset > 0 { options["offset"] = .uint16(UInt16(clamping: offset)) }
    return .properties(options)
  }

  /// The value of a descriptor that switches notifications.
  private func configuration(_ key: AttributeKey, in table: AttributeTable) -> [UInt8] {
    for (handle, peers) in adapters[key.device.peer]?.subscribers ?? [:] {
      guard let characteristic = table.characteristic(declaredAt: handle),
        characteristic.configurationHandle == key.handle, peers.contains(key.device.adapter)
      else { continue }
      return [characteristic.flags.properties.contains("notify") ? 1 : 2, 0]
    }
    return [0, 0]
  }

  // MARK: - Notifying

  private func notify(_ owner: AttributeOwner, _ value: [UInt8]) {
    for (index, adapter) in adapters {
      guard let characteristic = adapter.table.characteristic(of: owner) else { continue }
      let isIndicated = !characteristic.flags.properties.contains("notify")
      for peer in adapter.subscribers[characteristic.handle] ?? [] {
        let key = AttributeKey(
          device: DeviceKey(adapter: peer, peer: index), handle: characteristic.handle)
        guard let link = links[key.device.link] else { continue }
        // Cut without a word, as BlueZ does: in a notification that could hold several values and
        // has a longer header, for whoever takes these. No central with the smallest MTU does.
        let packet = Array(value.prefix(max(Int(link.mtu) - 5, 20)))
        run { bluez in
          await bluez.pause(bluez.timing.latency)
          guard bluez.links[key.device.link]?.number == link.number else { return }
          bluez.receive(key, packet)
          if isIndicated { bluez.post(owner, BlueZ.Name.characteristic, "Confirm") }
        }
      }
    }
  }

  /// Switches a peer's notifications on.
  ///
  /// - Parameter key: the peer's view of the characteristic.
  func subscribe(_ key: AttributeKey) throws(ATTError) {
    let index = key.device.peer
    guard let characteristic = adapters[index]?.table.characteristic(declaredAt: key.handle) else {
      throw .unlikely
    }
    let need = characteristic.flags.subscribeNeed
    if let error = need.errorWithoutPairing, (links[key.device.link]?.security ?? .none) < need {
      throw error
    }
    let isFirst = adapters[index]?.subscribers[key.handle, default: []].isEmpty ?? true
    adapters[index]?.subscribers[key.handle, default: []].insert(key.device.adapter)
    if isFirst, let owner = characteristic.owner {
      post(owner, BlueZ.Name.characteristic, "StartNotify")
    }
  }

  /// Switches a peer's notifications off.
  func unsubscribe(_ key: AttributeKey) {
    let index = key.device.peer
    guard adapters[index]?.subscribers[key.handle]?.remove(key.device.adapter) != nil,
      adapters[index]?.subscribers[key.handle]?.isEmpty == true
    else { return }
    if let owner = adapters[index]?.table.characteristic(declaredAt: key.handle)?.owner {
      post(owner, BlueZ.Name.characteristic, "StopNotify")
    }
  }
}
