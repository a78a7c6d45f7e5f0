internal import ProvisioningProtocol

extension Provisioner {
  /// How often a connection is tried that fails in a way that may pass.
  private static let attempts = 3

  /// Finds the device, connects to it, runs `body`, and disconnects, whatever happens.
  ///
  /// - Parameters:
  ///   - needed: the characteristics that `body` uses.
  ///   - check: refuses a device by its advertisement, before anything is asked of it.
  func withDevice<Value: Sendable>(
    _ name: DeviceName, offering needed: Set<ProvisioningCharacteristic>,
    checking check: @escaping @Sendable (DeviceSighting) throws -> Void = { _ in },
    _ body: @escaping @Sendable (PeerAddress, DeviceID) async throws -> Value
  ) async throws(ProvisionerError) -> Value {
    start()
    do {
      return try await within(limits.total) {
        try await self.port.prepare()
        let device = try await self.find(name, within: self.limits.search)
        try check(device)
        let peer = try await self.connect(to: device, offering: needed)
        do {
          let value = try await body(peer, device.advertisement.deviceID)
          await self.release(peer)
          return value
        } catch {
          await self.release(peer)
          throw error
        }
      }
    } catch is TimeLimit where step == .search {
      throw .deviceNotFound(name, others: heardDevices)
    } catch {
      throw failure(error)
    }
  }

  /// Runs one operation on the link, within its limit.
  func perform<Value: Sendable>(
    _ step: Step, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    enter(step)
    return try await answered(within: limits.session.operation, body)
  }

  /// Connects; where the device seems to lack something, BlueZ may remember an older version of
  /// it: then once more, with that forgotten.
  func connect(
    to device: DeviceSighting, offering needed: Set<ProvisioningCharacteristic>
  ) async throws -> PeerAddress {
    var (peer, offered) = try await connect(to: device)
    if !needed.isSubset(of: offered) {
      await release(peer)
      report(.forgotten)
      await port.forget(peer)
      (peer, offered) = try await connect(
        to: try await find(.id(device.advertisement.deviceID), within: limits.search))
    }
    guard needed.isSubset(of: offered) else {
      await release(peer)
      throw ProvisionerError.incomplete(missing: needed.subtracting(offered))
    }
    report(.connected)
    return peer
  }

  /// Connects and learns what is offered, again after failures that may pass.
  private func connect(
    to device: DeviceSighting
  ) async throws -> (PeerAddress, Set<ProvisioningCharacteristic>) {
    var peer = device.address
    var attempt = 1
    while true {
      enter(.connect)
      report(.connecting(attempt: attempt))
      do {
        let offered = try await answered(within: limits.connection) { [port, peer] in
          try await port.connect(peer)
          return try await port.discover(peer)
        }
        return (peer, offered)
      } catch {
        await release(peer)
        guard let error = error as? CentralError, error.code.mayPass, attempt < Self.attempts
        else { throw error }
        report(.retrying(error))
        if error.code == .unknownPeer {
          peer = try await find(.id(device.advertisement.deviceID), within: limits.search).address
        } else {
          // A controller that just lost a link needs a moment before the next.
          try await clock.sleep(for: .milliseconds(500) * attempt)
        }
      }
      attempt += 1
    }
  }

  /// Takes the link down, also when the task is cancelled.
  func release(_ peer: PeerAddress) async {
    await Task(executorPreference: executor) { [port] in await port.disconnect(peer) }.value
  }
}

extension CentralError.Code {
  /// Whether connecting again may help.
  fileprivate var mayPass: Bool {
    switch self {
    case .transient, .unknownPeer, .linkLost: true
    case .adapter, .attribute, .pairingRequired, .pairingFailed, .passkeyRequired, .timedOut,
      .failed:
      false
    }
  }
}
