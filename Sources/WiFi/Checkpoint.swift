internal import DBus

/// NetworkManager's promise to put the device back as it is now, unless it is told in time that all
/// is well: so a program that is killed in the middle of an attempt leaves nothing behind.
struct Checkpoint {
  /// After how many seconds NetworkManager goes back by itself: longer than an attempt.
  ///
  /// An odd number, for it is all that tells a checkpoint of this program, left behind, from one of
  /// another program.
  private static let timeout: UInt32 = 127

  private let bus: Connection
  private let path: ObjectPath

  /// Makes one.
  ///
  /// - Throws: also where NetworkManager's policy does not allow it.
  static func create(on bus: Connection, device: ObjectPath) async throws(BusError) -> Checkpoint {
    // Another program's checkpoint is no reason to go without.
    let allowOverlapping: UInt32 = 8
    let reply = try await bus.call(
      NetworkManagerBus.name, NetworkManagerBus.path, NetworkManagerBus.manager,
      NetworkManagerBus.createCheckpoint,
      [.objectPaths([device]), .uint32(timeout), .uint32(allowOverlapping)])
    guard let path = reply.first?.asObjectPath else {
      throw BusError(name: BusError.Name.failed, message: "no checkpoint in the answer")
    }
    return Checkpoint(bus: bus, path: path)
  }

  /// Has everything stay as it is now.
  func destroy() async {
    // One that is gone with NetworkManager is as good.
    _ = try? await call(NetworkManagerBus.destroyCheckpoint)
  }

  /// Puts the device back; returns when NetworkManager has begun with it.
  func rollBack() async throws(BusError) {
    _ = try await call(NetworkManagerBus.rollBackCheckpoint)
  }

  /// Puts the device back if NetworkManager can, and in no case later on, when it may be in use.
  func end() async {
    do throws(BusError) {
      try await rollBack()
    } catch {
      await destroy()
    }
  }

  /// Rolls back what a program of this kind has left behind: it was killed during an attempt.
  static func rollBackLeftOver(on bus: Connection) async {
    guard
      let reply = try? await bus.call(
        NetworkManagerBus.name, NetworkManagerBus.path, StandardInterface.properties, "Get",
        [.string(NetworkManagerBus.manager), .string(NetworkManagerBus.checkpoints)])
    else { return }
    for path in reply.first?.asObjectPaths ?? [] {
      let timeout = try? await bus.call(
        NetworkManagerBus.name, path, StandardInterface.properties, "Get",
        [.string(NetworkManagerBus.checkpoint), .string(NetworkManagerBus.rollbackTimeout)])
      guard timeout?.first?.asInteger == Int(Self.timeout) else { continue }
      try? await Checkpoint(bus: bus, path: path).rollBack()
    }
  }

  private func call(_ method: String) async throws(BusError) -> [Value] {
    try await bus.call(
      NetworkManagerBus.name, NetworkManagerBus.path, NetworkManagerBus.manager, method,
      [.objectPath(path)])
  }
}
