internal import DBus

/// An attribute of a remote device: a characteristic by its declaration, or a descriptor.
struct AttributeKey: Hashable {
  let device: DeviceKey
  let handle: UInt16
}

/// A read that the peer has not answered; later callers join it.
struct PendingRead {
  let number: UInt64
  let offset: Int
  var calls: [MethodCall]
}

/// A write that the peer has not answered.
struct PendingWrite {
  let number: UInt64
  let call: MethodCall
}

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

  private func descriptorValue(_ name: String, _ key: AttributeKey) -> Value? {
    guard let descriptor = devices[key.device]?.descriptors[key.handle] else { return nil }
    switch name {
    case "UUID": return .string(descriptor.attribute.uuid.text)
    case "Characteristic": return .objectPath(descriptor.characteristic)
    case "Value": return descriptor.value.map { .bytes($0) }
    default: return nil
    }
  }

  // MARK: - Reading

  private func readValue(_ key: AttributeKey, _ call: MethodCall) -> MethodOutcome {
    guard let link = links[key.device.link] else { return .error(.bluezFailed("Not connected")) }
    guard let options = AccessOptions(call.arguments.last) else {
      return .error(.bluezInvalidArguments)
    }
    if let pending = reads[key] {
      guard pending.offset == options.offset else { return .error(.bluezInProgress) }
      reads[key]?.calls.append(call)
      return .later
    }
    let number = nextNumber()
    reads[key] = PendingRead(number: number, offset: options.offset, calls: [call])
    run { await $0.performRead(key, number, offset: options.offset, mtu: Int(link.mtu)) }
    return .later
  }

  /// Reads packet by packet until one is not full.
  private func performRead(_ key: AttributeKey, _ number: UInt64, offset: Int, mtu: Int) async {
    var value: [UInt8] = []
    do throws(ATTError) {
      while true {
        await pause(timing.latency)
        let part = try await serveRead(key, offset: offset + value.count).prefix(mtu - 1)
        await pause(timing.latency)
        guard reads[key]?.number == number else { return }
        value += part
        if part.count < mtu - 1 || value.count >= 512 { break }
      }
      keep(value, of: key)
      endRead(key, .reply([.bytes(value)]))
    } catch {
      await pause(timing.latency)
      if reads[key]?.number == number { endRead(key, .error(error.busError)) }
    }
  }

  private func endRead(_ key: AttributeKey, _ outcome: MethodOutcome) {
    guard let pending = reads.removeValue(forKey: key) else { return }
    for call in pending.calls { answer(call, outcome) }
  }

  /// A read changes the cached value, and BlueZ tells of it as of a notification.
  private func keep(_ value: [UInt8], of key: AttributeKey) {
    if devices[key.device]?.characteristics[key.handle] != nil {
      receive(key, value)
    } else if let path = devices[key.device]?.descriptors[key.handle]?.path {
      devices[key.device]?.descriptors[key.handle]?.value = value
      changed(path, BlueZ.Name.descriptor, ["Value"]) { descriptorValue($0, key) }
    }
  }

  func receive(_ key: AttributeKey, _ value: [UInt8]) {
    devices[key.device]?.characteristics[key.handle]?.value = value
    characteristicChanged(key, ["Value"])
  }

  // MARK: - Writing

  private func writeValue(_ key: AttributeKey, _ call: MethodCall) -> MethodOutcome {
    guard let link = links[key.device.link] else { return .error(.bluezFailed("Not connected")) }
    if writes[key] != nil { return .error(.bluezInProgress) }
    guard let value = call.arguments.first?.asBytes,
      let options = AccessOptions(call.arguments.last)
    else { return .error(.bluezInvalidArguments) }
    var type = options.type ?? "request"
    if let characteristic = devices[key.device]?.characteristics[key.handle]?.attribute {
      let flags = characteristic.flags.properties
      if options.type == nil {
        guard let preferred = Self.preferredType(flags) else { return .error(.bluezNotSupported) }
        type = preferred
      }
    } else if devices[key.device]?.descriptors[key.handle]?.attribute.uuid
      == UUIDText(assigned: 0x2902)
    {
      return .error(.bluezNotPermitted("Write not permitted"))
    }
    let isShort = value.count <= Int(link.mtu) - 3
    switch type {
    case "command":
      if options.offset > 0 { return .error(.bluezNotSupported) }
      guard isShort else { return .error(.bluezFailed("Failed to initiate write")) }
      run { bluez in
        await bluez.pause(bluez.timing.latency)
        guard bluez.links[key.device.link]?.number == link.number else { return }
        // A command has no answer, whatever comes of it.
        try? await bluez.serveWrite(key, value, offset: 0)
      }
      return .reply([])
    case "request", "reliable":
      let isLong = !isShort || options.offset > 0 || type == "reliable"
      let size = Int(link.mtu) - 5
      let packets = isLong ? (value.count + size - 1) / size + 1 : 1
      let number = nextNumber()
      writes[key] = PendingWrite(number: number, call: call)
      run { await $0.performWrite(key, number, value, offset: options.offset, packets: packets) }
      return .later
    default: return .error(.bluezNotSupported)
    }
  }

  private static func preferredType(_ flags: Set<String>) -> String? {
    if flags.contains("reliable-write") { return "reliable" }
    if flags.contains("write") { return "request" }
    return flags.contains("write-without-response") ? "command" : nil
  }

  private func performWrite(
    _ key: AttributeKey, _ number: UInt64, _ value: [UInt8], offset: Int, packets: Int
  ) async {
    // The application hears of a long write once, when its last packet has come.
    await pause(timing.latency * (2 * packets - 1))
    guard writes[key]?.number == number else { return }
    var outcome = MethodOutcome.reply([])
    do throws(ATTError) {
      try await serveWrite(key, value, offset: offset)
    } catch {
      outcome = .error(error.busError)
    }
    await pause(timing.latency)
    guard writes[key]?.number == number, let pending = writes.removeValue(forKey: key) else {
      return
    }
    answer(pending.call, outcome)
  }

  // MARK: - Ends that come early

  /// Answers what is under way when a link ends, in BlueZ 5.66's way: as if it had gone well.
  ///
  /// Its client code turns a lost link into the error code 0, and 0 into a reply without an error:
  /// a write looks done, and a read has no bytes (src/shared/gatt-client.c, `process_error`;
  /// src/gatt-client.c, `async_dbus_op_reply`).
  func endAccesses(of device: DeviceKey) {
    for key in reads.keys where key.device == device { endRead(key, .reply([.bytes([])])) }
    for key in writes.keys where key.device == device {
      if let pending = writes.removeValue(forKey: key) { answer(pending.call, .reply([])) }
    }
  }

  /// Drops what is under way on an object that goes: BlueZ never answers it.
  private func forgetAccesses(_ key: AttributeKey) {
    reads[key] = nil
    writes[key] = nil
  }

  // MARK: - Notifications

  private func startNotify(_ key: AttributeKey, _ call: MethodCall) -> MethodOutcome {
    guard let device = devices[key.device], let characteristic = device.characteristics[key.handle]
    else { return .error(.bluezNotConnected) }
    if device.isDisconnecting { return .error(.bluezNotConnected) }
    guard characteristic.attribute.flags.isNotifying else { return .error(.bluezNotSupported) }
    if let isAnswered = characteristic.sessions[call.sender] {
      return isAnswered ? .reply([]) : .error(.bluezInProgress)
    }
    guard let link = links[key.device.link] else {
      // Kept for when there is a link again.
      devices[key.device]?.characteristics[key.handle]?.sessions[call.sender] = true
      return .reply([])
    }
    devices[key.device]?.characteristics[key.handle]?.sessions[call.sender] = false
    run { bluez in
      await bluez.pause(bluez.timing.latency)
      guard bluez.links[key.device.link]?.number == link.number else {
        return bluez.endStart(key, call, .unlikely)
      }
      var failure: ATTError?
      do throws(ATTError) { try bluez.subscribe(key) } catch { failure = error }
      await bluez.pause(bluez.timing.latency)
      bluez.endStart(key, call, failure)
    }
    return .later
  }

  private func endStart(_ key: AttributeKey, _ call: MethodCall, _ failure: ATTError?) {
    guard devices[key.device]?.characteristics[key.handle]?.sessions[call.sender] != nil else {
      return
    }
    if let failure {
      devices[key.device]?.characteristics[key.handle]?.sessions[call.sender] = nil
      return answer(call, .error(failure.busError))
    }
    devices[key.device]?.characteristics[key.handle]?.sessions[call.sender] = true
    setNotifying(key, true)
    answer(call, .reply([]))
  }

  private func stopNotify(_ key: AttributeKey, _ call: MethodCall) -> MethodOutcome {
    guard
      devices[key.device]?.characteristics[key.handle]?.sessions[call.sender] != nil
    else { return .error(.bluezFailed("No notify session started")) }
    endSession(of: call.sender, on: key)
    return .reply([])
  }

  func endSession(of client: String, on key: AttributeKey) {
    devices[key.device]?.characteristics[key.handle]?.sessions[client] = nil
    guard devices[key.device]?.characteristics[key.handle]?.sessions.isEmpty == true else { return }
    if links[key.device.link] != nil { unsubscribe(key) }
    setNotifying(key, false)
  }

  /// Subscribes again for the programs that still listen.
  func restoreSessions(_ device: DeviceKey) {
    for (handle, characteristic) in devices[device]?.characteristics ?? [:]
    where !characteristic.sessions.isEmpty {
      let key = AttributeKey(device: device, handle: handle)
      do throws(ATTError) {
        try subscribe(key)
        setNotifying(key, true)
      } catch {
        devices[device]?.characteristics[handle]?.sessions = [:]
      }
    }
  }

  private func setNotifying(_ key: AttributeKey, _ isNotifying: Bool) {
    guard let old = devices[key.device]?.characteristics[key.handle]?.isNotifying,
      old != isNotifying
    else { return }
    devices[key.device]?.characteristics[key.handle]?.isNotifying = isNotifying
    characteristicChanged(key, ["Notifying"])
  }
}

/// The options of `ReadValue` and `WriteValue`.
private struct AccessOptions {
  var offset = 0
  var type: String?

  /// Nil where a known one has the wrong type; unknown ones are ignored.
  init?(_ value: Value?) {
    guard let properties = value?.asDictionary else { return nil }
    switch properties["offset"] {
    case .uint16(let number): offset = Int(number)
    case nil: break
    default: return nil
    }
    switch properties["type"] {
    case .string(let text): type = text.lowercased()
    case nil: break
    default: return nil
    }
  }
}
