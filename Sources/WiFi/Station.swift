internal import CNetworkManager
package import DBus
package import MainLoop

/// The board's Wi-Fi, over NetworkManager.
///
/// While nothing happens only a few signals are followed on the program's own bus connection. What
/// needs libnm (scan, join, list, forget) opens a client, which mirrors all of NetworkManager and is
/// most of an idle daemon's memory: ``open()`` it when a session begins, ``close()`` it when the
/// session is over.
package actor Station {
  package nonisolated let loop: MainLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Times, for tests to shorten.
  package struct Limits: Sendable {
    /// For a whole attempt; NetworkManager's own limits end most of them earlier, and a checkpoint
    /// of 127 s outlives it.
    package var attempt: Duration = .seconds(100)
    /// For the results of a scan; NetworkManager's own tools wait as long.
    package var scan: Duration = .seconds(15)
    /// For an access point to show up once the scan is over.
    package var scanSettling: Duration = .milliseconds(1500)
    /// For an answer from NetworkManager's secret agents; the profile's own secrets take none.
    package var secrets: Duration = .seconds(2)
    /// For a link that was lost to come back, while an address is waited for.
    package var link: Duration = .seconds(5)
    /// For NetworkManager to leave the bus, once it has taken its devices away.
    package var end: Duration = .seconds(2)
    /// For the device to be back in the network before, once an attempt has failed.
    package var wayBack: Duration = .seconds(45)
    /// For NetworkManager's own check of the way to the internet.
    package var connectivity: Duration = .seconds(5)

    package init() {}
  }

  private let bus: Connection
  private let interface: String?
  private let busAddress: String?
  private let limits: Limits

  private var watch: DeviceWatch?
  private var client: NetworkManagerClient?
  private var opening: Task<Result<Void, GLibError>, Never>?
  private var isHeldOpen = false
  /// Whether the provisioner that is there has had its scan.
  private var hasScanned = false
  private var users = 0
  private var attempt: JoinEvents?
  /// The profile that the last attempt was cancelled on the way back to.
  private var unreached: String?
  /// What an attempt follows, made ready when the client is.
  private var signals: AttemptSignals?

  /// - Parameters:
  ///   - bus: the connection on which NetworkManager is followed; its loop runs the station.
  ///   - interface: the Wi-Fi device to use, such as `wlan0`; nil for the first one that
  ///     NetworkManager manages and that is no access point.
  ///   - busAddress: where libnm finds the same bus; nil for the system bus.
  package init(
    bus: Connection, interface: String? = nil, busAddress: String? = nil,
    limits: Limits = Limits()
  ) {
    loop = bus.loop
    self.bus = bus
    self.interface = interface
    self.busAddress = busAddress
    self.limits = limits
  }

  /// Begins to follow NetworkManager, running or not.
  ///
  /// - Parameter changed: called on the loop's thread with each new snapshot, the first one
  ///   before this returns.
  /// - Throws: what the bus says; NetworkManager's absence is a snapshot, not an error.
  package func start(changed: @escaping @Sendable (StationSnapshot) -> Void) async throws(BusError)
  {
    let watch = DeviceWatch(bus: bus, interface: interface) { [weak self] snapshot in
      // What was followed may come back as something else.
      if snapshot.availability != .available { self?.assumeIsolated { $0.signals = nil } }
      changed(snapshot)
    }
    self.watch = watch
    try await watch.start()
    guard await snapshot.availability != .networkManagerNotRunning else { return }
    await Checkpoint.rollBackLeftOver(on: bus)
  }

  /// What the last signal told.
  package var snapshot: StationSnapshot {
    get async { await watch?.snapshot ?? StationSnapshot(availability: .networkManagerNotRunning) }
  }

  /// Reads the device again: signal strengths change without a signal on the bus.
  package func refresh() async -> StationSnapshot {
    await watch?.refresh() ?? StationSnapshot(availability: .networkManagerNotRunning)
  }

  /// Opens libnm's client ahead of its use, and keeps it open until ``close()``.
  ///
  /// - Throws: the bus is not in reach; NetworkManager's absence is no error.
  package func open() async throws(StationError) {
    isHeldOpen = true
    _ = try await openClient()
    guard isHeldOpen, let client, let path = await watch?.devicePath,
      let device = client.device(at: path.string)
    else { return }
    // Joining does it where this fails, and says why.
    _ = try? await signals(of: device)
  }

  /// Gives the client's memory back, once what is going on has ended.
  package func close() async {
    isHeldOpen = false
    hasScanned = false
    await closeIfUnused()
  }

  /// What the device sees.
  ///
  /// - Parameter maximumAge: a list that is older is renewed first, which takes seconds and
  ///   disturbs Bluetooth on chips that share one antenna; so only once while the client is held
  ///   open. The result says how old it is.
  package func scan(maximumAge: Duration = .seconds(30)) async throws(StationError)
    -> ScanResult
  {
    let client = try await openClient()
    users += 1
    let result: Result<ScanResult, StationError>
    do {
      let device = try await usableDevice(of: client)
      if device.scanAge > maximumAge, !(isHeldOpen && hasScanned) {
        hasScanned = true
        await device.scan(limits: limits, loop: loop)
      }
      result = .success(
        ScanResult(
          networks: device.accessPoints.merged(known: client.profiles.filter { !$0.isPassing }),
          hiddenCount: device.hiddenAccessPoints.count,
          age: device.lastScan < 0 ? nil : device.scanAge))
    } catch {
      result = .failure(error)
    }
    await endUse()
    return try result.get()
  }

  /// Joins a network and keeps its profile, or leaves everything as it was.
  ///
  /// A trial profile that NetworkManager forgets by itself is activated; only once the device has
  /// the addresses that were asked for is it saved, and are older profiles of the same network
  /// deleted. When it fails, the device goes back to the network that it was in before; it does so
  /// as well when this program is killed meanwhile.
  ///
  /// Cancelling the task ends the attempt and takes the trial back before this returns; the device
  /// is then on its way to the network before. Once the profile is being saved it comes too late,
  /// and the outcome says that the device is connected.
  ///
  /// - Parameters:
  ///   - failing: called on the loop's thread, at most once: the attempt has failed, and the device
  ///     goes back to the network before; the outcome says whether it got there.
  ///   - progress: called on the loop's thread, with each step, in order.
  package func join(
    _ request: NetworkRequest,
    failing: @escaping @Sendable (JoinFailure) -> Void = { _ in },
    progress: @escaping @Sendable (JoinProgress) -> Void
  ) async -> JoinOutcome {
    guard attempt == nil else {
      return .failed(JoinFailure(.busy, "another attempt is still going on"))
    }
    let count = request.ssid.count
    guard (1...32).contains(count) else {
      return .failed(JoinFailure(.ssidLength, "an SSID has 1 to 32 bytes, not \(count)"))
    }
    let events = JoinEvents()
    attempt = events
    // Not a child of the caller's task: what cancels that one must not cut the clean-up short.
    let work = Task(executorPreference: loop) {
      await self.run(request, events, failing, progress)
    }
    return await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      events.cancel()
    }
  }

  private func run(
    _ request: NetworkRequest, _ events: JoinEvents,
    _ failing: @escaping @Sendable (JoinFailure) -> Void,
    _ progress: @escaping @Sendable (JoinProgress) -> Void
  ) async -> JoinOutcome {
    progress(.preparing)
    let deadline = loop.after(limits.attempt) { events.send(.trial(.deadline)) }
    let outcome: JoinOutcome
    do {
      let client = try await openClient()
      users += 1
      do {
        let device = try await usableDevice(of: client)
        // Before anything is asked for, so that no change is missed.
        let signals = try await signals(of: device)
        signals.follow(events)
        let attempt = JoinAttempt(
          request, bus: bus, client: client, device: device, events: events, limits: limits,
          interface: interface, hearsSupplicant: signals.includeSupplicant,
          unreachedBefore: unreached, progress: progress
        ) { await self.readLink() }
        outcome = await attempt.run { failure in
          // The way back has a limit of its own.
          deadline.cancel()
          failing(failure)
        }
        unreached = attempt.unreached
        signals.follow(nil)
      } catch {
        outcome = .failed(JoinFailure(error.reason, error.message))
      }
      await endUse()
    } catch {
      outcome = .failed(JoinFailure(error.reason, error.message))
    }
    deadline.cancel()
    attempt = nil
    return outcome
  }

  /// The networks that NetworkManager keeps for Wi-Fi devices, one entry a network and security.
  ///
  /// Without what it forgets by itself, such as a trial.
  package func savedNetworks() async throws(StationError) -> [SavedNetwork] {
    try await withRunningClient { client in
      let kept = client.profiles.filter { !$0.isPassing }
      return .success(kept.networks(active: client.activeProfiles))
    }
  }

  /// Deletes every profile of a network, which disconnects from it.
  ///
  /// - Returns: how many there were.
  /// - Throws: the first refusal; the other profiles are deleted nevertheless.
  @discardableResult
  package func forget(ssid: [UInt8]) async throws(StationError) -> Int {
    try await withRunningClient { client in
      let profiles = client.profiles(of: ssid)
      var failure: StationError?
      for profile in profiles {
        do throws(GLibError) {
          try await client.deleteProfile(uuid: profile.uuid)
        } catch {
          failure = failure ?? StationError(error, doing: "deleting a profile")
        }
      }
      return failure.map { .failure($0) } ?? .success(profiles.count)
    }
  }

  private func withRunningClient<Value: Sendable>(
    _ body: (NetworkManagerClient) async -> Result<Value, StationError>
  ) async throws(StationError) -> Value {
    let client = try await openClient()
    guard client.isRunning else {
      await closeIfUnused()
      throw StationError(.networkManagerNotRunning, "NetworkManager is not running")
    }
    users += 1
    let result = await body(client)
    await endUse()
    return try result.get()
  }

  /// Those that are ready, or new ones where there are none of this device.
  private func signals(of device: WirelessDevice) async throws(StationError) -> AttemptSignals {
    guard let path = device.objectPath else {
      throw StationError(.noDevice, "the Wi-Fi device went away")
    }
    if let signals, signals.device == path { return signals }
    do {
      let fresh = try await AttemptSignals.begin(on: bus, device: path, interface: device.interface)
      signals = fresh
      return fresh
    } catch {
      throw StationError(.internalError, "following NetworkManager: \(error)")
    }
  }

  /// The watched device, as libnm has it.
  private func usableDevice(of client: NetworkManagerClient) async throws(StationError)
    -> WirelessDevice
  {
    guard client.isRunning else {
      throw StationError(.networkManagerNotRunning, "NetworkManager is not running")
    }
    var availability = await snapshot.availability
    // What is missing may have come just now.
    if availability != .available { availability = await refresh().availability }
    switch availability {
    case .networkManagerNotRunning:
      throw StationError(.networkManagerNotRunning, "NetworkManager is not running")
    case .noDevice: throw StationError(.noDevice, "there is no Wi-Fi device")
    case .notManaged:
      throw StationError(.deviceNotManaged, "NetworkManager does not manage the Wi-Fi device")
    case .radioBlocked: throw StationError(.radioBlocked, "Wi-Fi is switched off")
    case .unavailable:
      throw StationError(.noDevice, "the Wi-Fi device is not ready: firmware or wpa_supplicant")
    case .available: break
    }
    guard let path = await watch?.devicePath, let device = client.device(at: path.string) else {
      throw StationError(.noDevice, "the Wi-Fi device went away")
    }
    return device
  }

  private func readLink() async -> DeviceWatch.Link? { await watch?.readLink() }

  private func openClient() async throws(StationError) -> NetworkManagerClient {
    while client == nil {
      let opening = opening ?? Task(executorPreference: loop) { await self.makeClient() }
      self.opening = opening
      let result = await opening.value
      self.opening = nil
      if case .failure(let error) = result { throw StationError(error, doing: "opening libnm") }
    }
    guard let client else { throw StationError(.internalError, "libnm's client was closed") }
    return client
  }

  private func makeClient() async -> Result<Void, GLibError> {
    do {
      client = try await NetworkManagerClient.open(address: busAddress)
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private func endUse() async {
    users -= 1
    await closeIfUnused()
  }

  private func closeIfUnused() async {
    if let opening { _ = await opening.value }
    guard !isHeldOpen, users == 0, let client else { return }
    self.client = nil
    signals = nil
    await client.close()
    // The mirror of NetworkManager is gone; what it took is of no other use while idle.
    malloc_trim(0)
  }
}

extension StationError {
  init(_ error: GLibError, doing what: String) {
    let reason: JoinFailure.Reason =
      if error.isPermissionDenied {
        .permissionDenied
      } else if error.isServiceMissing {
        .networkManagerNotRunning
      } else {
        .internalError
      }
    self.init(reason, "\(what): \(error.message)")
  }
}
