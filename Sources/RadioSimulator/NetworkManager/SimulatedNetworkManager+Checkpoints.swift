internal import DBus
internal import MainLoop

extension SimulatedNetworkManager {
  /// Lets the time of every checkpoint run out now.
  package func expireCheckpoints() {
    for checkpoint in checkpoints { rollBack(checkpoint.path) }
  }

  var checkpointMethods: [Method] {
    [
      guarded("CheckpointCreate", in: "aouu", out: "o") { manager, call in
        manager.createCheckpoint(call)
      },
      guarded("CheckpointDestroy", in: "o") { manager, call in
        let path = call.arguments.first?.asObjectPath ?? .root
        if path == .root {
          for checkpoint in manager.checkpoints { manager.forgetCheckpoint(checkpoint.path) }
          return .reply([])
        }
        return manager.withCheckpoint(call) {
          manager.forgetCheckpoint($0)
          return []
        }
      },
      guarded("CheckpointRollback", in: "o", out: "a{su}") { manager, call in
        manager.withCheckpoint(call) { path in
          let results = manager.rollBack(path).map { device, result in
            Value.Entry(.string(device.description), .uint32(result.rawValue))
          }
          return [.dictionary(key: .string, value: .uint32, results)]
        }
      },
      guarded("CheckpointAdjustRollbackTimeout", in: "ou") { manager, call in
        manager.withCheckpoint(call) { path in
          manager.adjust(path, by: UInt32(clamping: call.arguments[1].asInteger ?? 0))
          return []
        }
      },
    ]
  }

  private func withCheckpoint(_ call: MethodCall, _ body: (ObjectPath) -> [Value])
    -> MethodOutcome
  {
    let path = call.arguments.first?.asObjectPath ?? .root
    guard checkpoints.contains(where: { $0.path == path }) else {
      return .error(
        BusError(
          name: NetworkManagerName.Failure.invalidArguments,
          message: "checkpoint \(path) does not exist"))
    }
    return .reply(body(path))
  }

  // MARK: - The life of a checkpoint

  private func createCheckpoint(_ call: MethodCall) -> MethodOutcome {
    func refusal(_ message: String, _ name: String = NetworkManagerName.Failure.invalidArguments)
      -> MethodOutcome
    {
      .error(BusError(name: name, message: message))
    }
    if refusesCheckpoints {
      return refusal("Not authorized.", NetworkManagerName.Failure.permissionDenied)
    }
    let asked = call.arguments[0].asObjectPaths ?? []
    let timeout = UInt32(clamping: call.arguments[1].asInteger ?? 0)
    let flags = CheckpointFlags(rawValue: UInt32(clamping: call.arguments[2].asInteger ?? 0))
    if !asked.isEmpty, flags.contains(.disconnectNewDevices) {
      return refusal("the DISCONNECT_NEW_DEVICES flag can only be used with an empty device list")
    }
    for path in asked where path != device.path {
      return refusal(
        "device \(path) does not exist", NetworkManagerName.Failure.unknownDevice)
    }
    guard let own = device.path else { return refusal("no device available") }
    if flags.contains(.destroyAll) {
      for checkpoint in checkpoints { forgetCheckpoint(checkpoint.path) }
    } else if !flags.contains(.allowOverlapping),
      let other = checkpoints.first(where: { $0.device == own })
    {
      return refusal(
        "device '\(SimulatedWirelessDevice.interface)' is already included in checkpoint "
          + "\(other.path)")
    }
    let use = active.flatMap { active in
      profiles[active.profile].map {
        SimulatedCheckpoint.Use(activation: active.path, profile: $0, applied: active.applied)
      }
    }
    let path = newPath("Checkpoint")
    checkpoints.append(
      SimulatedCheckpoint(
        path: path, device: own, flags: flags, created: bootTime, rollbackTimeout: timeout,
        use: use, wasUnmanaged: device.state == .unmanaged,
        uuids: Set(profiles.values.map(\.uuid))))
    setTimer(of: path, after: timeout)
    export(path, [checkpointInterface(path)])
    checkpointsChanged()
    return .reply([.objectPath(path)])
  }

  /// These are the seconds of who made it, not NetworkManager's own: they pass as everywhere.
  private func setTimer(of path: ObjectPath, after seconds: UInt32) {
    guard let index = checkpoints.firstIndex(where: { $0.path == path }) else { return }
    checkpoints[index].timer?.cancel()
    checkpoints[index].timer =
      seconds == 0
      ? nil
      : loop.after(.seconds(Int64(seconds))) { [weak self] in
        self?.assumeIsolated { _ = $0.rollBack(path) }
      }
  }

  private func adjust(_ path: ObjectPath, by seconds: UInt32) {
    guard let index = checkpoints.firstIndex(where: { $0.path == path }) else { return }
    let passed = (bootTime - checkpoints[index].created + 500) / 1000
    checkpoints[index].rollbackTimeout =
      seconds == 0 ? 0 : UInt32(clamping: passed + Int64(seconds))
    setTimer(of: path, after: seconds)
    changed(path, NetworkManagerName.Interface.checkpoint, ["RollbackTimeout"])
  }

  private func forgetCheckpoint(_ path: ObjectPath) {
    guard let index = checkpoints.firstIndex(where: { $0.path == path }) else { return }
    checkpoints.remove(at: index).timer?.cancel()
    checkpointsChanged()
    unexport(path)
  }

  private func checkpointsChanged() {
    changed(
      NetworkManagerName.manager, NetworkManagerName.Interface.manager, ["Checkpoints"])
  }

  // MARK: - Going back

  @discardableResult
  private func rollBack(_ path: ObjectPath) -> [(ObjectPath, RollbackResult)] {
    guard let index = checkpoints.firstIndex(where: { $0.path == path }) else { return [] }
    let checkpoint = checkpoints[index]
    for younger in checkpoints[(index + 1)...] where younger.device == checkpoint.device {
      forgetCheckpoint(younger.path)
    }
    let result = restore(checkpoint)
    if checkpoint.flags.contains(.deleteNewProfiles) {
      for (path, profile) in profiles where !checkpoint.uuids.contains(profile.uuid) {
        remove(path)
      }
    }
    forgetCheckpoint(path)
    return [(checkpoint.device, result)]
  }

  private func restore(_ checkpoint: SimulatedCheckpoint) -> RollbackResult {
    guard device.path == checkpoint.device else { return .noDevice }
    if checkpoint.wasUnmanaged { return .done }
    guard device.state != .unmanaged else { return .deviceUnmanaged }
    guard let use = checkpoint.use else {
      // It was disconnected: whatever it does now ends, and does not come back by itself.
      guard let active else { return .done }
      profiles[active.profile]?.isBlocked = true
      deactivate(.userRequested, .deviceDisconnected)
      return .done
    }
    var needsActivation = active?.path != use.activation || queued != nil
    let profile: ObjectPath
    if let present = profiles.first(where: { $0.value.uuid == use.profile.uuid })?.key {
      profile = present
      if profiles[present]?.settings != use.profile.settings {
        profiles[present]?.settings = use.profile.settings
        emit(present, NetworkManagerName.Interface.profile, "Updated")
        needsActivation = true
      }
    } else {
      profile = keep(
        SimulatedProfile(settings: use.profile.settings, isVolatile: false, isSaved: true))
      needsActivation = true
    }
    guard needsActivation else { return .done }
    guard device.state.rawValue >= DeviceState.disconnected.rawValue else { return .failed }
    profiles[profile]?.isBlocked = false
    activate(profile, at: accessPoint(for: profile)?.path, applied: use.applied)
    return .done
  }

  private func checkpointInterface(_ path: ObjectPath) -> Interface {
    let own: @Sendable (isolated SimulatedNetworkManager) -> SimulatedCheckpoint? = { manager in
      manager.checkpoints.first { $0.path == path }
    }
    return Interface(
      NetworkManagerName.Interface.checkpoint,
      properties: [
        property("Devices", "ao") { .objectPaths(own($0).map { [$0.device] } ?? []) },
        property("Created", "x") { .int64(own($0)?.created ?? 0) },
        property("RollbackTimeout", "u") { .uint32(own($0)?.rollbackTimeout ?? 0) },
      ])
  }
}
