internal import DBus
internal import MainLoop

extension CentralManager {
  /// Brings the link up.
  ///
  /// - Parameter timeout: after this the attempt is given up, in BlueZ too.
  /// - Throws: `connectionFailed` where another try may help, `connectionRefused` where not,
  ///   `unknownPeripheral` where a new scan is needed first, `timedOut`.
  public func connect(_ peripheral: BluetoothAddress, timeout: Duration = .seconds(30))
    async throws(BluetoothError)
  {
    let adapter = try await followedAdapter()
    guard let device = BlueZ.device(peripheral, of: adapter.path),
      objects.properties(BlueZ.Interface.device, at: device) != nil
    else { throw .unknown(peripheral) }
    if isConnected(device) { return }
    disconnectReasons[device] = nil
    links.insert(device)
    do {
      try await bringUp(device, peripheral, adapter, timeout)
    } catch {
      // bluetoothd goes on trying unless it is told.
      await task { manager in await manager.takeDown(device) }.value
      throw error
    }
  }

  private func bringUp(
    _ device: ObjectPath, _ peripheral: BluetoothAddress, _ adapter: Adapter, _ timeout: Duration
  ) async throws(BluetoothError) {
    do throws(BusError) {
      _ = try await connection.call(
        adapter.owner, device, BlueZ.Interface.device, "Connect", timeout: timeout)
    } catch {
      if error.name != BlueZ.ErrorName.alreadyConnected {
        throw BluetoothError(connecting: error, to: peripheral)
      }
    }
    // The property's change may come after the reply, and with bluetoothd 5.66 not at all. Where the
    // link broke at once, it is not true either way.
    if !isConnected(device) { try await refresh(adapter) }
    do {
      try await wait(.seconds(2)) { $0.isConnected(device) ? .success(()) : nil }
    } catch {
      guard error.code == .timedOut else { throw error }
      throw BluetoothError(.connectionFailed, "the link to \(peripheral) broke at once")
    }
  }

  /// Asks for everything, whatever was signalled.
  private func refresh(_ adapter: Adapter) async throws(BluetoothError) {
    do throws(BusError) {
      try await takeSnapshot(of: adapter)
    } catch {
      throw BluetoothError(service: error)
    }
  }

  func isConnected(_ device: ObjectPath) -> Bool {
    objects.properties(BlueZ.Interface.device, at: device)?["Connected"]?.asBool == true
  }

  /// Waits until BlueZ knows the services of a connected peripheral.
  ///
  /// - Throws: `notConnected` as soon as the link breaks, `timedOut`.
  public func discoverServices(
    of peripheral: BluetoothAddress, timeout: Duration = .seconds(30)
  ) async throws(BluetoothError) -> [RemoteService] {
    let adapter = try await followedAdapter()
    guard let device = BlueZ.device(peripheral, of: adapter.path) else {
      throw .unknown(peripheral)
    }
    do {
      try await wait(timeout) { manager -> Result<Void, BluetoothError>? in
        guard manager.isConnected(device) else {
          return .failure(manager.brokenLink(device, peripheral))
        }
        let properties = manager.objects.properties(BlueZ.Interface.device, at: device)
        return properties?["ServicesResolved"]?.asBool == true ? .success(()) : nil
      }
    } catch {
      guard error.code == .timedOut else { throw error }
      throw BluetoothError(
        .timedOut, "bluetoothd did not learn the services of \(peripheral) within \(timeout)")
    }
    // The announcements of the services may come after the property that says they are there.
    try await refresh(adapter)
    guard isConnected(device) else { throw brokenLink(device, peripheral) }
    return services(of: device, peripheral)
  }

  private func services(of device: ObjectPath, _ peripheral: BluetoothAddress)
    -> [RemoteService]
  {
    let characteristics = objects.all(BlueZ.Interface.gattCharacteristic, below: device)
    return objects.all(BlueZ.Interface.gattService, below: device).compactMap { path, service in
      guard let uuid = service["UUID"]?.asString.flatMap({ BluetoothUUID($0) }) else { return nil }
      let own = characteristics.filter { $0.properties["Service"]?.asObjectPath == path }
      return RemoteService(
        uuid: uuid, isPrimary: service["Primary"]?.asBool ?? true,
        characteristics: own.compactMap { child, properties in
          properties["UUID"]?.asString.flatMap { BluetoothUUID($0) }.map {
            RemoteCharacteristic(
              uuid: $0, service: uuid, peripheral: peripheral,
              properties: CharacteristicProperties(
                flags: properties["Flags"]?.asStrings ?? []),
              device: device, path: child)
          }
        })
    }
  }

  func brokenLink(_ device: ObjectPath, _ peripheral: BluetoothAddress) -> BluetoothError {
    .notConnected(peripheral, reason: disconnectReasons[device])
  }

  /// Takes the link down, and gives up one that is coming up; does nothing where there is none.
  public func disconnect(_ peripheral: BluetoothAddress) async {
    guard let adapter = condition.adapter,
      let device = BlueZ.device(peripheral, of: adapter.path)
    else { return }
    await task { manager in await manager.takeDown(device) }.value
  }

  /// Has bluetoothd disconnect, and waits a little until it has.
  func takeDown(_ device: ObjectPath) async {
    links.remove(device)
    guard let owner = condition.adapter?.owner else { return }
    _ = await connection.result(
      of: owner, device, BlueZ.Interface.device, "Disconnect", timeout: .seconds(5))
    // Beyond this there is nothing that a caller could do about it.
    try? await wait(.seconds(3)) { $0.isConnected(device) ? nil : .success(()) }
  }

  /// Has BlueZ forget the peripheral: its bond, and its cached services above all.
  public func remove(_ peripheral: BluetoothAddress) async {
    guard let adapter = condition.adapter,
      let device = BlueZ.device(peripheral, of: adapter.path)
    else { return }
    links.remove(device)
    // Before 5.84 the answer may never come.
    _ = await task { manager in
      await manager.connection.result(
        of: adapter.owner, adapter.path, BlueZ.Interface.adapter, "RemoveDevice",
        [.objectPath(device)], timeout: .seconds(5))
    }.value
  }

  /// Ends everything that needs the link.
  func linkDidBreak(_ device: ObjectPath) {
    links.remove(device)
    for operation in operations.values where operation.device == device {
      operation.task.cancel()
    }
    for (number, subscription) in subscriptions where subscription.device == device {
      subscriptions[number] = nil
      subscription.continuation.finish(
        throwing: brokenLink(device, subscription.characteristic.peripheral))
    }
  }
}
