internal import DBus
internal import MainLoop

/// Gives the passkey that a peripheral shows while it pairs, which may take a person's time; nil
/// to refuse.
///
/// Its task is cancelled when nobody waits for the digits any longer.
public typealias PasskeySource = @Sendable () async -> Passkey?

extension CentralManager {
  /// Pairs with a connected peripheral, so that the link is encrypted from now on, and later ones
  /// from their beginning; does nothing where it is paired already.
  ///
  /// Without a passkey that a person reads from the peripheral, who listens learns nothing, but
  /// there may be somebody in the middle. The bond stays until ``remove(_:)``.
  ///
  /// - Parameters:
  ///   - timeout: after this the attempt is given up, in BlueZ too.
  ///   - passkey: asked where the peripheral shows a passkey; nil to refuse that.
  /// - Throws: `pairingFailed` where the two sides do not agree, which ends the link,
  ///   `passkeyRequired` where nobody gave one, `notConnected`, `busy`, `timedOut`.
  public func pair(
    _ peripheral: BluetoothAddress, timeout: Duration = .seconds(60),
    passkey: PasskeySource? = nil
  ) async throws(BluetoothError) {
    let adapter = try await followedAdapter()
    guard let device = BlueZ.device(peripheral, of: adapter.path), isConnected(device) else {
      throw .notConnected(peripheral)
    }
    // Asked once more, bluetoothd 5.66 fails, and older ones try BR/EDR.
    if objects.properties(BlueZ.Interface.device, at: device)?["Paired"]?.asBool == true { return }
    let answers = PairingAnswers(device: device, owner: adapter.owner, loop: loop, source: passkey)
    let result = await exchange(device, adapter, answers, timeout)
    if Task.isCancelled { throw .cancelled }
    guard case .failure(let error) = result else { return }
    if await answers.isPasskeyMissing {
      throw BluetoothError(
        .passkeyRequired, "\(peripheral) shows a passkey, which nobody typed",
        cause: BluetoothError.Cause(error))
    }
    throw BluetoothError(pairing: error, with: peripheral)
  }

  /// Has bluetoothd pair, with an agent of its own for as long as that takes.
  private func exchange(
    _ device: ObjectPath, _ adapter: Adapter, _ answers: PairingAnswers, _ timeout: Duration
  ) async -> Result<[Value], BusError> {
    guard let path = ExportNumber.path("agent") else {
      return .failure(BusError(name: BusError.Name.failed, message: "no path for an agent"))
    }
    let (connection, owner) = (connection, adapter.owner)
    await connection.export(path, [answers.interface])
    // It can show and type: what the peripheral can do decides how the two pair.
    var result = await connection.result(
      of: owner, BlueZ.agentManager, BlueZ.Interface.agentManager, "RegisterAgent",
      [.objectPath(path), .string("KeyboardDisplay")])
    switch result {
    case .success:
      result = await connection.result(
        of: owner, device, BlueZ.Interface.device, "Pair", timeout: timeout)
      if case .failure(let error) = result, error.name == BlueZ.ErrorName.alreadyExists {
        result = .success([])
      }
    case .failure(let error) where error.name == BlueZ.ErrorName.alreadyExists:
      // A connection has one agent.
      result = .failure(BusError(name: BlueZ.ErrorName.inProgress, message: error.message))
    case .failure: break
    }
    let isUnanswered =
      if case .failure(let error) = result {
        [BusError.Name.cancelled, BusError.Name.noReply, BusError.Name.timeout]
          .contains(error.name)
      } else {
        false
      }
    // Not cut short by the cancellation that may have led here.
    await task { _ in
      if isUnanswered {
        _ = await connection.result(
          of: owner, device, BlueZ.Interface.device, "CancelPairing", timeout: .seconds(5))
      }
      _ = await connection.result(
        of: owner, BlueZ.agentManager, BlueZ.Interface.agentManager, "UnregisterAgent",
        [.objectPath(path)], timeout: .seconds(5))
    }.value
    await answers.end()
    await connection.unexport(path)
    return result
  }
}
