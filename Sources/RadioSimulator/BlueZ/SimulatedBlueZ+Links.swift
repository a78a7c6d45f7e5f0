internal import DBus

/// Links and what they bring with them.
extension SimulatedBlueZ {
  func connect(_ key: DeviceKey, _ call: MethodCall) -> MethodOutcome {
    guard adapters[key.adapter]?.isPowered == true else {
      return .error(.bluezFailed("Input/output error"))
    }
    if links[key.link] != nil { return .reply([]) }
    if connecting[key] != nil { return .error(.bluezFailed("Operation already in progress")) }
    devices[key]?.isTemporary = false
    let number = nextNumber()
    connecting[key] = ConnectionAttempt(number: number, call: call)
    run { await $0.attempt(key, number) }
    return .later
  }

  private func attempt(_ key: DeviceKey, _ number: UInt64) async {
    let start = ContinuousClock.now
    await pause(timing.connection)
    while connecting[key]?.number == number {
      let isLate = start.duration(to: .now) >= timing.connectionTimeout
      if isLate || refuses(.connection) {
        return endAttempt(key, .error(.bluezFailed("le-connection-abort-by-local")))
      }
      if isConnectable(key) {
        if links[key.link] == nil { establish(key) }
        return endAttempt(key, .reply([]))
      }
      await pause(timing.advertisingInterval)
    }
  }

  func endAttempt(_ key: DeviceKey, _ outcome: MethodOutcome) {
    guard let attempt = connecting.removeValue(forKey: key) else { return }
    answer(attempt.call, outcome)
  }

  private func isConnectable(_ key: DeviceKey) -> Bool {
    guard let peer = adapters[key.peer], outOfReach.isDisjoint(with: [key.adapter, key.peer]) else {
      return false
    }
    return peer.onAir.contains(where: \.isConnectable)
  }

  private func establish(_ key: DeviceKey) {
    // What both have kept of an earlier pairing encrypts the link at once.
    let security = key.link.ends.map { bonds[$0] ?? .none }.min() ?? .none
    let link = Link(
      number: nextNumber(), mtu: mtu(between: key.adapter, key.peer), security: security)
    links[key.link] = link
    let isHidden = hides()
    for end in [key.reversed, key] {
      if devices[end] == nil, let address = adapters[end.peer]?.radio.address {
        devices[end] = RemoteDevice(address: address, path: devicePath(end, address: address))
        devices[end]?.isConnected = true
        exportDevice(end)
      } else {
        devices[end]?.isConnected = true
        if end != key || !isHidden { deviceChanged(end, ["Connected"]) }
      }
      run { await $0.resolve(end, link.number) }
    }
  }

  private func resolve(_ key: DeviceKey, _ number: UInt64) async {
    await pause(timing.resolution)
    guard links[key.link]?.number == number else { return }
    // Whose services are known stays, also when its link ends.
    devices[key]?.isTemporary = false
    links[key.link]?.resolved.insert(key.adapter)
    mirror(key)
    restoreSessions(key)
    devices[key]?.isResolved = true
    deviceChanged(key, ["ServicesResolved"])
    // Generic Access has a name too, and BlueZ prefers it.
    if let name = adapters[key.peer]?.alias, devices[key]?.name != name {
      devices[key]?.name = name
      deviceChanged(key, devices[key]?.ownAlias == nil ? ["Name", "Alias"] : ["Name"])
    }
  }

  func disconnect(_ key: DeviceKey, _ call: MethodCall) -> MethodOutcome {
    endAttempt(key, .error(.bluezFailed("br-connection-canceled")))
    guard let link = links[key.link] else { return .reply([]) }
    devices[key]?.disconnectCalls.append(call)
    if devices[key]?.isDisconnecting == true { return .later }
    devices[key]?.isDisconnecting = true
    run { bluez in
      await bluez.pause(bluez.timing.disconnection)
      if bluez.links[key.link]?.number == link.number { bluez.endLink(key.link) }
    }
    return .later
  }

  func endLink(_ key: LinkKey) {
    guard links.removeValue(forKey: key) != nil else { return }
    for end in key.ends {
      endAccesses(of: end)
      for handle in adapters[end.peer]?.subscribers.keys.sorted() ?? [] {
        unsubscribe(AttributeKey(device: end, handle: handle))
      }
      if devices[end]?.isResolved == true {
        devices[end]?.isResolved = false
        deviceChanged(end, ["ServicesResolved"])
      }
      let calls = devices[end]?.disconnectCalls ?? []
      devices[end]?.disconnectCalls = []
      devices[end]?.isDisconnecting = false
      devices[end]?.isConnected = false
      devices[end]?.lastHeard = .now
      for call in calls { answer(call, .reply([])) }
      deviceChanged(end, ["Connected"])
      if devices[end]?.isToBeRemoved == true { removeDevice(end) } else { expireLater(end) }
    }
  }
}
