internal import DBus
internal import MainLoop

extension CentralManager {
  /// A stream of advertisements that somebody listens to.
  struct Scan {
    let services: [BluetoothUUID]
    let continuation: AsyncThrowingStream<Discovery, any Error>.Continuation
  }

  /// The advertisements that are heard, each within a second, repeated ones too.
  ///
  /// Peripherals that BlueZ knows from before come only when they are heard. Dropping the stream
  /// ends the scan. The stream throws a ``BluetoothError`` when the adapter or the service goes.
  ///
  /// - Parameter services: only peripherals that advertise one of these, as UUID or with service
  ///   data; all when it is empty.
  public func scan(for services: [BluetoothUUID] = [])
    async throws(BluetoothError) -> AsyncThrowingStream<Discovery, any Error>
  {
    let adapter = try await followedAdapter()
    let number = nextNumber()
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Discovery.self, bufferingPolicy: .unbounded)
    scans[number] = Scan(services: services, continuation: continuation)
    continuation.onTermination = { [weak self, loop] _ in
      Task(executorPreference: loop) { [weak self] in await self?.endScan(number) }
    }
    do {
      try await startDiscovery(adapter)
    } catch {
      scans[number] = nil
      throw error
    }
    if Task.isCancelled {
      await endScan(number)
      throw .cancelled
    }
    // Somebody else's scan may have heard these already; BlueZ keeps a strength only of such.
    for (path, properties) in objects.all(BlueZ.Interface.device, below: adapter.path)
    where properties["RSSI"] != nil {
      deviceWasHeard(path)
    }
    return stream
  }

  private func startDiscovery(_ adapter: Adapter) async throws(BluetoothError) {
    guard !isDiscovering else { return }
    isDiscovering = true
    // In a task of its own: a cancellation between the two calls would leave a session behind.
    let error = await task { manager in await manager.beginDiscovery(adapter) }.value
    guard let error else { return }
    isDiscovering = false
    throw error
  }

  private func beginDiscovery(_ adapter: Adapter) async -> BluetoothError? {
    // bluetoothd takes no scan while it ends one.
    await stopping?.value
    // Never UUIDs: BlueZ 5.87 crashes on them. bluetoothd merges the filters of all clients, so
    // what it passes on is matched here in any case.
    let filter: [String: Value] = ["Transport": .string("le"), "DuplicateData": .boolean(true)]
    let filtered = await connection.result(
      of: adapter.owner, adapter.path, BlueZ.Interface.adapter, "SetDiscoveryFilter",
      [.properties(filter)])
    if case .failure(let error) = filtered { return Self.scanning(error) }
    for _ in 0..<Self.startAttempts {
      let started = await connection.result(
        of: adapter.owner, adapter.path, BlueZ.Interface.adapter, "StartDiscovery")
      guard case .failure(let error) = started else { return nil }
      guard [BlueZ.ErrorName.inProgress, BlueZ.ErrorName.busy].contains(error.name) else {
        return Self.scanning(error)
      }
      // bluetoothd begins or ends a scan for somebody else, or still has one of ours, as after an
      // answer that came too late.
      _ = await connection.result(
        of: adapter.owner, adapter.path, BlueZ.Interface.adapter, "StopDiscovery")
      // Nobody cancels this task.
      try? await loop.sleep(for: Self.startPause)
    }
    return BluetoothError(
      .busy, "\(adapter.name) does not end its last scan: switch it off and on")
  }

  private static let startAttempts = 15
  private static let startPause = Duration.milliseconds(200)

  private static func scanning(_ error: BusError) -> BluetoothError {
    let general = BluetoothError(service: error)
    return general.code == .failed
      ? BluetoothError(.failed, "bluetoothd does not scan", cause: .init(error)) : general
  }

  private func endScan(_ number: UInt64) async {
    guard let scan = scans.removeValue(forKey: number) else { return }
    scan.continuation.finish()
    if scans.isEmpty { await stopDiscovery() }
  }

  func stopDiscovery() async {
    guard isDiscovering, let adapter = condition.adapter else { return }
    isDiscovering = false
    let end = task { manager in
      _ = await manager.connection.result(
        of: adapter.owner, adapter.path, BlueZ.Interface.adapter, "StopDiscovery")
    }
    stopping = end
    await end.value
  }

  /// What a controller says that has not measured it (Core Specification, Vol 4, Part E, 7.7.65.2).
  private static let unknownRSSI = 127

  func deviceWasHeard(_ path: ObjectPath) {
    guard !scans.isEmpty, let properties = objects.properties(BlueZ.Interface.device, at: path),
      let address = BlueZ.address(ofDevice: path.lastElement)
    else { return }
    let discovery = Discovery(
      address: address, advertisement: AdvertisementData(device: properties),
      rssi: properties["RSSI"]?.asInteger.flatMap { $0 == Self.unknownRSSI ? nil : $0 })
    for scan in scans.values where discovery.advertisement.offers(anyOf: scan.services) {
      scan.continuation.yield(discovery)
    }
  }
}
