internal import DBus
internal import MainLoop

extension JoinAttempt {
  /// Saves the profile of a network that was joined.
  func keep(
    _ profile: TrialProfile, _ security: NetworkSecurity, _ evidence: JoinEvidence
  ) async -> Result<Joined, JoinFailure> {
    progress(.checkingConnectivity)
    if events.isCancelled {
      return .failure(JoinFailure(.cancelled, "cancelled", evidence: evidence))
    }
    // At the same time: each takes a few round trips. What has worked is worth keeping, and goes
    // with the rest of the trial where it turns out that it does not work any more.
    let saving = client.beginSaving(profile)
    let found = await readLink()
    let isSaved = await saving?.isDone() ?? false
    // Perhaps it is already; if not, it would stay in memory, and be joined again from there.
    if !isSaved { await client.makeVolatile(uuid: profile.uuid) }
    let link: StationSnapshot.Link
    switch confirmed(found, profile) {
    case .success(let found): link = found
    case .failure(let loss):
      return .failure(JoinFailure(loss.reason, loss.message, evidence: evidence))
    }
    return .success(
      Joined(
        profile: profile, security: security, link: link, isSaved: isSaved, evidence: evidence))
  }

  /// Tidies up after a network that was joined, and looks for the way to the internet.
  func finish(_ joined: Joined) async -> JoinOutcome {
    if joined.isSaved { await deleteSuperseded(by: joined.profile, joined.security) }
    guard await client.checkConnectivity(limit: limits.connectivity, loop: loop) else {
      return .connected(joined.link, saved: joined.isSaved)
    }
    switch confirmed(await readLink(), joined.profile) {
    case .success(let link): return .connected(link, saved: joined.isSaved)
    case .failure(let loss):
      return .failed(JoinFailure(loss.reason, loss.message, evidence: joined.evidence))
    }
  }

  /// The link if it is still there and ours, else what has become of it.
  private func confirmed(_ found: DeviceWatch.Link?, _ profile: TrialProfile)
    -> Result<StationSnapshot.Link, StationError>
  {
    guard client.isRunning else {
      return .failure(
        StationError(.networkManagerNotRunning, "NetworkManager stopped during the attempt"))
    }
    guard trialEvent(.devicesChanged) == nil else {
      return .failure(StationError(.noDevice, "the Wi-Fi device went away"))
    }
    guard let found else {
      return .failure(StationError(.outOfRange, "the link was lost at once"))
    }
    guard found.profile == nil || found.profile == profile.uuid else {
      return .failure(StationError(.superseded, "another network was activated"))
    }
    var link = found.link
    // NetworkManager's own idea of the access point may be late.
    link.ssid = request.ssid
    guard link.address != nil || !request.ipv4.isRequired else {
      return .failure(StationError(.noAddress, "no IPv4 address was given"))
    }
    return .success(link)
  }

  private func deleteSuperseded(by profile: TrialProfile, _ security: NetworkSecurity) async {
    let kind = SavedProfile.Kind(security)
    for old in client.profiles(of: request.ssid)
    where old.uuid != profile.uuid && old.kind == kind && !old.isPrivate
      && (old.interface == nil || old.interface == device.interface)
    {
      // A profile that cannot be deleted is the administrator's; the new one was used last, and
      // is preferred.
      try? await client.deleteProfile(uuid: old.uuid)
    }
  }

  // MARK: - The way back

  /// Asks NetworkManager for a network that it knows.
  ///
  /// - Returns: whether it is on its way there.
  private func isActivating(_ uuid: String) async -> Bool {
    guard let path = client.profilePath(uuid: uuid).flatMap({ ObjectPath($0) }),
      let devicePath = device.objectPath
    else { return false }
    do throws(BusError) {
      _ = try await bus.call(
        NetworkManagerBus.name, NetworkManagerBus.path, NetworkManagerBus.manager,
        NetworkManagerBus.activateConnection,
        [.objectPath(path), .objectPath(devicePath), .objectPath(.root)])
      return true
    } catch {
      return false
    }
  }

  /// Returns the device to the network that it was in before.
  func goBack(to uuid: String, _ checkpoint: Checkpoint?, _ failure: JoinFailure) async
    -> JoinOutcome
  {
    let events = events
    let timer = loop.after(limits.wayBack) { events.send(.wayBackOverdue) }
    defer { timer.cancel() }
    if failure.evidence.transitions.isEmpty, let found = await readLink(), found.profile == uuid {
      // It was never left.
      await checkpoint?.destroy()
      return .rolledBack(failure, found.link)
    }
    // Not by the checkpoint, which is for a program that dies: it does not lead to a profile that
    // has been changed since its activation.
    if await isActivating(uuid) {
      await checkpoint?.destroy()
    } else {
      // Where nothing else leads back: NetworkManager may still go there by itself, as it does to
      // every profile that it keeps.
      await checkpoint?.end()
    }
    while true {
      if let found = await readLink(), found.profile == uuid {
        return .rolledBack(failure, found.link)
      }
      // Nobody waits for it, and the program may be about to end. A new attempt finds the device
      // where it is.
      if events.isCancelled { return .failed(failure) }
      waiting: while true {
        switch await next() {
        case .trial(.device(DeviceState.activated, _)): break waiting
        case .wayBackOverdue: return .failed(failure)
        case let event:
          switch trialEvent(event) {
          case .cancelled, .deviceRemoved, .networkManagerStopped: return .failed(failure)
          default: continue
          }
        }
      }
    }
  }
}
