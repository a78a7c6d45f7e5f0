internal import DBus

extension CentralManager {
  /// A call to a peripheral, cancelled when the link breaks.
  struct Operation {
    let device: ObjectPath
    let task: Task<Result<[Value], BusError>, Never>
  }

  /// A stream of values that somebody listens to.
  struct ValueStream {
    let characteristic: RemoteCharacteristic
    let continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation
    var device: ObjectPath { characteristic.device }
  }

  /// Reads a whole value, however long.
  public func readValue(of characteristic: RemoteCharacteristic)
    async throws(BluetoothError) -> [UInt8]
  {
    let reply = try await perform("ReadValue", [.properties([:])], on: characteristic)
    guard let bytes = reply.first?.asBytes else {
      throw BluetoothError(.failed, "bluetoothd answered without a value")
    }
    // bluetoothd (5.66 at least) ends what a broken link interrupts as if it had gone well.
    if bytes.isEmpty { try await checkLink(of: characteristic) }
    return bytes
  }

  /// Writes a value; with a response, waits for it.
  ///
  /// A link that breaks in the course of it may look like success, since bluetoothd says so.
  ///
  /// - Throws: `attribute` with the peripheral's error, `valueTooLong` for a write without
  ///   response that does not fit.
  public func writeValue(
    _ value: [UInt8], to characteristic: RemoteCharacteristic, type: WriteType = .withResponse
  ) async throws(BluetoothError) {
    let kind: String
    switch type {
    case .withResponse: kind = "request"
    case .withoutResponse:
      kind = "command"
      let maximum = maximumWriteValueLength(for: characteristic)
      guard value.count <= maximum else {
        throw BluetoothError(
          .valueTooLong(maximum: maximum),
          "\(value.count) bytes, where a write without response carries \(maximum)")
      }
    }
    _ = try await perform(
      "WriteValue", [.bytes(value), .properties(["type": .string(kind)])], on: characteristic)
  }

  /// How many bytes one packet carries, as far as BlueZ says (5.62 and later); 20 otherwise.
  public func maximumWriteValueLength(for characteristic: RemoteCharacteristic) -> Int {
    // From the mirror: asked alone without a link, the property kills bluetoothd 5.62.
    let properties = objects.properties(
      BlueZ.Interface.gattCharacteristic, at: characteristic.path)
    return max(properties?["MTU"]?.asInteger ?? 0, 23) - 3
  }

  /// The values that the peripheral notifies or indicates, from when this returns.
  ///
  /// Dropping the stream ends the subscription. The stream throws a ``BluetoothError`` when the
  /// link breaks. A value that is read meanwhile comes too: BlueZ does not tell them apart.
  public func subscribe(to characteristic: RemoteCharacteristic)
    async throws(BluetoothError) -> AsyncThrowingStream<[UInt8], any Error>
  {
    let isFirst = !subscriptions.values.contains { $0.characteristic.path == characteristic.path }
    let number = nextNumber()
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .unbounded)
    // Before the call, so that no value is missed after it.
    subscriptions[number] = ValueStream(characteristic: characteristic, continuation: continuation)
    continuation.onTermination = { [weak self, loop] _ in
      Task(executorPreference: loop) { [weak self] in await self?.endSubscription(number) }
    }
    do {
      if isFirst { _ = try await perform("StartNotify", [], on: characteristic) }
    } catch {
      // The answer may still be on its way, so bluetoothd is told.
      endSubscription(number)
      throw error
    }
    return stream
  }

  private func endSubscription(_ number: UInt64) {
    guard let ended = subscriptions.removeValue(forKey: number) else { return }
    ended.continuation.finish()
    let path = ended.characteristic.path
    guard !subscriptions.values.contains(where: { $0.characteristic.path == path }),
      isConnected(ended.device), let owner = condition.adapter?.owner
    else { return }
    connection.assumeIsolated { connection in
      // Fails only where the connection is closed, and the subscription with it.
      try? connection.post(owner, path, BlueZ.Interface.gattCharacteristic, "StopNotify")
    }
  }

  func valueDidCome(_ value: [UInt8], from path: ObjectPath) {
    for subscription in subscriptions.values where subscription.characteristic.path == path {
      subscription.continuation.yield(value)
    }
  }

  private func checkLink(of characteristic: RemoteCharacteristic) async throws(BluetoothError) {
    let (device, peripheral) = (characteristic.device, characteristic.peripheral)
    guard isConnected(device), let owner = condition.adapter?.owner else {
      throw brokenLink(device, peripheral)
    }
    do throws(BusError) {
      let value = try await connection.property(
        "Connected", of: BlueZ.Interface.device, owner, device)
      if value.asBool == true { return }
    } catch {
      if Task.isCancelled { throw .cancelled }
    }
    throw brokenLink(device, peripheral)
  }

  /// Longer than the 30 s after which ATT itself gives a link up.
  private static let attributeTimeout = Duration.seconds(35)

  private func perform(
    _ member: String, _ arguments: [Value], on characteristic: RemoteCharacteristic
  ) async throws(BluetoothError) -> [Value] {
    let (device, peripheral) = (characteristic.device, characteristic.peripheral)
    if Task.isCancelled { throw .cancelled }
    guard isConnected(device), let owner = condition.adapter?.owner else {
      throw brokenLink(device, peripheral)
    }
    let task = task { manager in
      await manager.connection.result(
        of: owner, characteristic.path, BlueZ.Interface.gattCharacteristic, member, arguments,
        timeout: Self.attributeTimeout)
    }
    let number = nextNumber()
    operations[number] = Operation(device: device, task: task)
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    operations[number] = nil
    switch result {
    case .success(let values): return values
    case .failure(let error):
      if Task.isCancelled { throw .cancelled }
      if error.name == BusError.Name.cancelled { throw brokenLink(device, peripheral) }
      throw BluetoothError(attribute: error, of: peripheral)
    }
  }
}
