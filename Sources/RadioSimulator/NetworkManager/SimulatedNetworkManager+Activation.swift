internal import DBus
internal import MainLoop

extension SimulatedNetworkManager {
  /// All active connections: the one of the device, and the one that waits for it.
  var activations: [SimulatedActivation] { [active, queued].compactMap(\.self) }

  private func activation(_ path: ObjectPath) -> SimulatedActivation? {
    activations.first { $0.path == path }
  }

  // MARK: - The way up

  /// Starts a profile on the device, once what is there has let go of it.
  ///
  /// - Parameter applied: the settings to configure the device with; nil for the profile's own.
  @discardableResult
  func activate(
    _ profile: ObjectPath, at point: ObjectPath?, applied: SimulatedProfile.Settings? = nil
  ) -> ObjectPath {
    dropQueued()
    let new = SimulatedActivation(
      path: newPath("ActiveConnection"), profile: profile, specificObject: point ?? .root,
      applied: applied ?? profiles[profile]?.settings ?? [:])
    queued = new
    device.isBlocked = false
    export(new.path, [activeInterface(new.path)])
    if active == nil {
      begin()
    } else {
      activeChanged()
      deactivate(.newActivation, .deviceDisconnected)
    }
    return new.path
  }

  private func begin() {
    guard let next = queued else { return }
    queued = nil
    active = next
    activeChanged()
    let point = next.specificObject == .root ? nil : next.specificObject
    active?.steps = Task(executorPreference: loop) {
      do {
        try await self.goUp(next.profile, point)
      } catch {
        // Another activation has taken the device, or the device has gone.
      }
    }
  }

  // MARK: - The way down

  /// Ends the attempt of the device's active connection.
  func fail(_ reason: DeviceStateReason) {
    guard let active else { return }
    profiles[active.profile]?.countFailure(reason)
    setDevice(.failed, reason)
    setActive(.deactivated, .deviceDisconnected)
    dropActive()
    setDevice(.disconnected, .none)
    connectLater()
  }

  /// Begins to take the device from whatever it does to disconnected.
  ///
  /// It takes a moment; then comes the activation that waits for it, or one by itself.
  func deactivate(_ reason: DeviceStateReason, _ activeReason: ActiveReason) {
    guard let active, active.state != .deactivating else { return }
    active.steps?.cancel()
    setDevice(.deactivating, reason)
    setActive(.deactivating, activeReason)
    self.active?.steps = Task(executorPreference: loop) {
      do {
        try await self.finishDeactivation(reason, activeReason)
      } catch {
        // The device has gone meanwhile.
      }
    }
  }

  private func finishDeactivation(_ reason: DeviceStateReason, _ activeReason: ActiveReason)
    async throws
  {
    try await loop.sleep(for: time(.milliseconds(50)))
    setDevice(.disconnected, reason)
    setActive(.deactivated, activeReason)
    dropActive()
    if queued == nil { connectLater() } else { begin() }
  }

  /// Ends an active connection as its user asks for.
  ///
  /// - Returns: whether there is such a one.
  func endByUser(_ path: ObjectPath) -> Bool {
    guard let activation = activation(path) else { return false }
    profiles[activation.profile]?.isBlocked = true
    if active?.path == path {
      deactivate(.userRequested, .userDisconnected)
    } else {
      dropQueued()
    }
    return true
  }

  /// Takes the device from whatever it does to disconnected, as when it is pulled out.
  func endActivation(_ reason: DeviceStateReason, _ activeReason: ActiveReason) {
    dropQueued()
    guard let active else { return }
    active.steps?.cancel()
    setDevice(.deactivating, reason)
    setActive(.deactivating, activeReason)
    setDevice(.disconnected, reason)
    setActive(.deactivated, activeReason)
    dropActive()
  }

  private func dropActive() {
    guard let active else { return }
    self.active = nil
    device.activeAccessPoint = nil
    wirelessChanged(["ActiveAccessPoint"])
    dropAddresses()
    drop(active)
  }

  /// Ends an activation before its turn has come.
  func dropQueued() {
    guard let waiting = queued else { return }
    queued?.state = .deactivated
    announceState(of: waiting.path, .deactivated, .deviceDisconnected)
    queued = nil
    drop(waiting)
  }

  private func drop(_ activation: SimulatedActivation) {
    activeChanged()
    unexport(activation.path)
    if profiles[activation.profile]?.isVolatile == true,
      !activations.contains(where: { $0.profile == activation.profile })
    {
      remove(activation.profile)
    }
  }

  func wirelessChanged(_ names: [String]) {
    guard let path = device.path else { return }
    changed(path, NetworkManagerName.Interface.wireless, names)
  }

  private func activeChanged() {
    changed(
      NetworkManagerName.manager, NetworkManagerName.Interface.manager,
      ["ActiveConnections", "PrimaryConnection", "PrimaryConnectionType", "ActivatingConnection"])
    if let path = device.path {
      changed(path, NetworkManagerName.Interface.device, ["ActiveConnection"])
    }
  }

  func setActive(_ state: ActiveState, _ reason: ActiveReason) {
    guard let active, active.state != state else { return }
    self.active?.state = state
    announceState(of: active.path, state, reason)
  }

  private func announceState(of path: ObjectPath, _ state: ActiveState, _ reason: ActiveReason) {
    changed(path, NetworkManagerName.Interface.active, ["State", "Default"])
    emit(
      path, NetworkManagerName.Interface.active, "StateChanged",
      [.uint32(state.rawValue), .uint32(reason.rawValue)])
    changed(
      NetworkManagerName.manager, NetworkManagerName.Interface.manager,
      ["PrimaryConnection", "PrimaryConnectionType", "ActivatingConnection"])
  }

  // MARK: - By itself

  /// Activates what connects by itself, a moment after the device is free.
  func connectLater() {
    loop.after(time(.milliseconds(100))) { [weak self] in
      self?.assumeIsolated { $0.connectByItself() }
    }
  }

  private func connectByItself() {
    guard bus != nil, activations.isEmpty, device.state == .disconnected, !device.isBlocked else {
      return
    }
    let candidates = profiles.filter {
      $0.value.connectsByItself && accessPoint(for: $0.key) != nil
    }
    let next = candidates.max {
      ($0.value.priority, $0.value.lastUse, number(of: $0.key))
        < ($1.value.priority, $1.value.lastUse, number(of: $1.key))
    }
    guard let next = next?.key else { return }
    activate(next, at: accessPoint(for: next)?.path)
  }

  // MARK: - The objects

  private func activeInterface(_ path: ObjectPath) -> Interface {
    Interface(
      NetworkManagerName.Interface.active,
      properties: [
        property("Connection", "o") { .objectPath($0.activation(path)?.profile ?? .root) },
        property("SpecificObject", "o") {
          .objectPath($0.activation(path)?.specificObject ?? .root)
        },
        property("Id", "s") { manager in
          .string(manager.activation(path).flatMap { manager.profiles[$0.profile]?.id } ?? "")
        },
        property("Uuid", "s") { manager in
          .string(manager.activation(path).flatMap { manager.profiles[$0.profile]?.uuid } ?? "")
        },
        Property("Type", .string(NetworkManagerName.Setting.wireless)),
        property("Devices", "ao") { .objectPaths($0.device.path.map { [$0] } ?? []) },
        property("State", "u") { .uint32($0.activation(path)?.state.rawValue ?? 4) },
        Property("StateFlags", .uint32(0)),
        property("Default", "b") { .boolean($0.activation(path)?.state == .activated) },
        property("Ip4Config", "o") {
          .objectPath($0.active?.path == path ? $0.device.ip4Config ?? .root : .root)
        },
        Property("Dhcp4Config", .objectPath(.root)),
        Property("Default6", .boolean(false)),
        property("Ip6Config", "o") {
          .objectPath($0.active?.path == path ? $0.device.ip6Config ?? .root : .root)
        },
        Property("Dhcp6Config", .objectPath(.root)),
        Property("Vpn", .boolean(false)),
        Property("Master", .objectPath(.root)),
      ],
      signals: [SignalDescription("StateChanged", "uu")])
  }
}
