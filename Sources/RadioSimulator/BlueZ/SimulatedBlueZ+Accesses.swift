internal import DBus

/// The client's side: reading and writing.
extension SimulatedBlueZ {
  func readValue(_ key: AttributeKey, _ call: MethodCall) -> MethodOutcome {
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

  func writeValue(_ key: AttributeKey, _ call: MethodCall) -> MethodOutcome {
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
  func forgetAccesses(_ key: AttributeKey) {
    reads[key] = nil
    writes[key] = nil
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
