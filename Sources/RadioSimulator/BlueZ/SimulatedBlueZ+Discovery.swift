internal import DBus
internal import MainLoop

extension SimulatedBlueZ {
  func setDiscoveryFilter(_ index: UInt8, _ call: MethodCall) -> MethodOutcome {
    guard adapters[index]?.isPowered == true else { return .error(.bluezNotReady) }
    guard let properties = call.arguments.first?.asDictionary,
      let filter = DiscoveryFilter(properties)
    else { return .error(.bluezInvalidArguments) }
    var client = adapters[index]?.discovery[call.sender] ?? Adapter.DiscoveryClient()
    client.filter = properties.isEmpty ? nil : filter
    let isNeeded = client.isDiscovering || client.filter != nil
    adapters[index]?.discovery[call.sender] = isNeeded ? client : nil
    return .reply([])
  }

  func startDiscovery(_ index: UInt8, _ call: MethodCall) -> MethodOutcome {
    guard let adapter = adapters[index], adapter.isPowered else { return .error(.bluezNotReady) }
    var client = adapter.discovery[call.sender] ?? Adapter.DiscoveryClient()
    if client.isDiscovering { return .error(.bluezBusy) }
    client.isDiscovering = true
    adapters[index]?.discovery[call.sender] = client
    if !adapter.isDiscovering { adapterChanged(index, ["Discovering"]) }
    listen()
    return .reply([])
  }

  func stopDiscovery(_ index: UInt8, _ call: MethodCall) -> MethodOutcome {
    guard let adapter = adapters[index], adapter.isPowered else { return .error(.bluezNotReady) }
    guard adapter.discovery[call.sender]?.isDiscovering == true else {
      return .error(.bluezFailed("No discovery started"))
    }
    endDiscovery(of: call.sender, on: index, forgetFilter: false)
    return .reply([])
  }

  func endDiscovery(of client: String, on index: UInt8, forgetFilter: Bool) {
    guard let adapter = adapters[index] else { return }
    adapters[index]?.discovery[client]?.isDiscovering = false
    if forgetFilter || adapter.discovery[client]?.filter == nil {
      adapters[index]?.discovery[client] = nil
    }
    guard adapter.isDiscovering, adapters[index]?.isDiscovering == false else { return }
    for (key, device) in devices where key.adapter == index && device.rssi != nil {
      devices[key]?.rssi = nil
      devices[key]?.transmitPower = nil
      deviceChanged(key, device.transmitPower == nil ? ["RSSI"] : ["RSSI", "TxPower"])
    }
    adapterChanged(index, ["Discovering"])
  }

  /// Lets advertisements reach those who scan, for as long as somebody does.
  private func listen() {
    guard !isListening else { return }
    isListening = true
    run { bluez in
      var round = 0
      while bluez.adapters.values.contains(where: \.isDiscovering) {
        await bluez.pause(bluez.timing.advertisingInterval)
        round += 1
        bluez.advertise(round)
      }
      bluez.isListening = false
    }
  }

  private func advertise(_ round: Int) {
    for (scanner, adapter) in adapters where adapter.isDiscovering {
      guard !outOfReach.contains(scanner) else { continue }
      for (peer, other) in adapters where peer != scanner && !outOfReach.contains(peer) {
        for advertisement in other.onAir {
          // The strength wanders a little, as it does.
          let rssi = -40 - Int16(clamping: (round + Int(peer)) % 5)
          hear(advertisement, rssi: rssi, DeviceKey(adapter: scanner, peer: peer), adapter)
        }
      }
    }
  }

  private func hear(
    _ advertisement: Advertisement, rssi: Int16, _ key: DeviceKey, _ adapter: Adapter
  ) {
    // Without a filter BlueZ shows only what wants to be found.
    guard adapter.isFiltered || advertisement.isDiscoverable,
      let address = adapters[key.peer]?.radio.address,
      matches(advertisement, rssi, from: address, adapter)
    else { return }
    let isNew = devices[key] == nil
    var device =
      devices[key]
      ?? RemoteDevice(address: address, path: devicePath(key, address: address))
    device.lastHeard = .now
    var names: [String] = []
    // Without DuplicateData the controller reports an advertisement once.
    if device.rssi == nil || adapter.wantsDuplicates {
      device.rssi = rssi
      names.append("RSSI")
    }
    if let name = advertisement.nameOnAir, device.name != name, !device.isConnected {
      device.name = name
      names += device.ownAlias == nil ? ["Name", "Alias"] : ["Name"]
    }
    if advertisement.includesTransmitPower, device.transmitPower == nil {
      device.transmitPower = 0
      names.append("TxPower")
    }
    if let appearance = advertisement.appearance, device.appearance != appearance {
      device.appearance = appearance
      names.append("Appearance")
    }
    let newUUIDs = advertisement.serviceUUIDs.filter { !device.advertisedUUIDs.contains($0) }
    if !newUUIDs.isEmpty {
      device.advertisedUUIDs += newUUIDs
      names.append("UUIDs")
    }
    let manufacturerData = device.manufacturerData.merging(advertisement.manufacturerData) { $1 }
    if device.manufacturerData != manufacturerData
      || adapter.wantsDuplicates && !advertisement.manufacturerData.isEmpty
    {
      device.manufacturerData = manufacturerData
      names.append("ManufacturerData")
    }
    let serviceData = device.serviceData.merging(advertisement.serviceData) { $1 }
    if device.serviceData != serviceData
      || adapter.wantsDuplicates && !advertisement.serviceData.isEmpty
    {
      device.serviceData = serviceData
      names.append("ServiceData")
    }
    devices[key] = device
    if isNew { exportDevice(key) } else if !names.isEmpty { deviceChanged(key, names) }
    expireLater(key)
  }

  private func matches(
    _ advertisement: Advertisement, _ rssi: Int16, from address: String, _ adapter: Adapter
  ) -> Bool {
    let active = adapter.discovery.values.filter(\.isDiscovering)
    let patterns = active.compactMap { $0.filter?.pattern }
    if !patterns.isEmpty {
      let texts = [address, advertisement.nameOnAir ?? ""]
      guard patterns.contains(where: { pattern in texts.contains { $0.hasPrefix(pattern) } }) else {
        return false
      }
    }
    return active.contains { $0.filter?.matches(advertisement, rssi: rssi) ?? true }
  }

  /// Lets a temporary device go once it has not been heard for a while.
  func expireLater(_ key: DeviceKey) {
    guard let device = devices[key], device.isTemporary, !device.isExpiryScheduled else { return }
    devices[key]?.isExpiryScheduled = true
    let path = device.path
    loop.after(timing.temporaryTimeout) { [weak self] in
      self?.assumeIsolated { bluez in
        guard let device = bluez.devices[key], device.path == path else { return }
        bluez.devices[key]?.isExpiryScheduled = false
        guard device.isTemporary, !device.isConnected else { return }
        if device.lastHeard.duration(to: .now) < bluez.timing.temporaryTimeout {
          bluez.expireLater(key)
        } else {
          bluez.removeDevice(key)
        }
      }
    }
  }
}
