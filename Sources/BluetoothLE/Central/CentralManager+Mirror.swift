internal import DBus
internal import MainLoop

extension CentralManager {
  /// What makes ``objects`` true.
  enum Mirror {
    case none
    /// Several may wait for the same beginning.
    case beginning(ObjectPath, Task<BluetoothError?, Never>)
    case active(ObjectPath, [Subscription])
  }

  /// Something that a change may fulfil.
  struct Waiter {
    /// Resumes the continuation and returns true when there is something to say.
    let poll: @Sendable (isolated CentralManager) -> Bool
    let fail: @Sendable (BluetoothError) -> Void
  }

  /// The adapter that is on.
  func usableAdapter() throws(BluetoothError) -> Adapter {
    start()
    let (state, problem) = condition.state(for: .central)
    guard state == .poweredOn, let adapter = condition.adapter else {
      throw problem ?? BluetoothError(.poweredOff, "nothing is known of the adapter yet")
    }
    return adapter
  }

  /// What keeps the adapter from being used.
  private var problem: BluetoothError? { condition.state(for: .central).1 }

  /// The adapter, with everything below it in ``objects``.
  func followedAdapter() async throws(BluetoothError) -> Adapter {
    let adapter = try usableAdapter()
    switch mirror {
    case .active(adapter.path, _): return adapter
    case .beginning(adapter.path, let task):
      if let error = await task.value { throw problem ?? error }
    default:
      let task = task { manager in await manager.beginMirror(of: adapter) }
      mirror = .beginning(adapter.path, task)
      if let error = await task.value { throw problem ?? error }
    }
    if Task.isCancelled { throw .cancelled }
    return try usableAdapter()
  }

  private func beginMirror(of adapter: Adapter) async -> BluetoothError? {
    let rules = [
      MatchRule.added(from: adapter.owner), .removed(from: adapter.owner),
      .changed(nil, below: adapter.path, from: adapter.owner),
      MatchRule(
        sender: adapter.owner, pathNamespace: adapter.path, interface: BlueZ.Interface.device,
        member: "Disconnected"),
    ]
    do throws(BusError) {
      var subscriptions: [Subscription] = []
      for rule in rules {
        subscriptions.append(
          try await connection.subscribe(rule) { [weak self] message in
            self?.assumeIsolated { $0.receive(message) }
          })
      }
      try await takeSnapshot(of: adapter)
      guard case .beginning(adapter.path, _) = mirror else { return .serviceNotRunning() }
      mirror = .active(adapter.path, subscriptions)
      return nil
    } catch {
      if case .beginning(adapter.path, _) = mirror { mirror = .none }
      return BluetoothError(service: error)
    }
  }

  /// Reads all objects anew, what is signalled meanwhile included.
  func takeSnapshot(of adapter: Adapter) async throws(BusError) {
    objects.awaitSnapshot()
    let reply = await connection.result(
      of: adapter.owner, .root, StandardInterface.objectManager, "GetManagedObjects")
    guard condition.adapter?.owner == adapter.owner, condition.adapter?.path == adapter.path else {
      throw BusError(name: BusError.Name.failed, message: "the adapter went away")
    }
    guard case .success(let values) = reply, let snapshot = ManagedObjects.snapshot(values) else {
      objects.giveUpSnapshot()
      _ = try reply.get()
      throw BusError(name: BusError.Name.failed, message: "no objects in the reply")
    }
    objects.install(snapshot)
    poll()
  }

  /// Everything of an adapter that is gone.
  func dropMirror() {
    mirror = .none
    objects = ManagedObjects()
    links = []
    disconnectReasons = [:]
    isDiscovering = false
    for device in Set(operations.values.map(\.device) + subscriptions.values.map(\.device)) {
      linkDidBreak(device)
    }
  }

  private func receive(_ message: Message) {
    if message.interface == BlueZ.Interface.device, message.member == "Disconnected" {
      guard let path = message.path, message.arguments.count == 2 else { return }
      disconnectReasons[path] = message.arguments.compactMap(\.asString).last
      return
    }
    guard let change = ManagedObjects.Change(message) else { return }
    objects.apply(change)
    switch change {
    case .added(let path, let interfaces):
      if interfaces[BlueZ.Interface.device] != nil { deviceWasHeard(path) }
    case .removed(let path, let interfaces):
      if interfaces.contains(BlueZ.Interface.device) { linkDidBreak(path) }
    case .changed(let path, BlueZ.Interface.device, let values, _):
      if values["Connected"]?.asBool == false { linkDidBreak(path) }
      if !Self.heardProperties.isDisjoint(with: values.keys) { deviceWasHeard(path) }
    case .changed(let path, BlueZ.Interface.gattCharacteristic, let values, _):
      if let value = values["Value"]?.asBytes { valueDidCome(value, from: path) }
    default: break
    }
    poll()
  }

  /// What changes when an advertisement is heard.
  private static let heardProperties: Set<String> = [
    "RSSI", "ServiceData", "ManufacturerData", "UUIDs", "Name", "TxPower",
  ]

  /// Lets everything that waits look at what has changed.
  func poll() {
    for (number, waiter) in waiters where waiter.poll(self) { waiters[number] = nil }
  }

  /// Waits until `check` has something to say, which is asked after every change.
  ///
  /// - Throws: what `check` says, `timedOut` after `timeout`, `cancelled`.
  func wait<Result: Sendable>(
    _ timeout: Duration,
    for check:
      @escaping @Sendable (isolated CentralManager) -> Swift.Result<Result, BluetoothError>?
  ) async throws(BluetoothError) -> Result {
    if Task.isCancelled { throw .cancelled }
    if let result = check(self) { return try result.get() }
    let number = nextNumber()
    let timer = loop.after(timeout) { [weak self] in
      self?.assumeIsolated {
        $0.give(up: number, BluetoothError(.timedOut, "nothing happened within \(timeout)"))
      }
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Swift.Result<Result, BluetoothError>, Never>) in
        self.waiters[number] = Waiter(
          poll: { manager in
            guard let result = check(manager) else { return false }
            continuation.resume(returning: result)
            return true
          }, fail: { continuation.resume(returning: .failure($0)) })
      }
    } onCancel: {
      task { manager in manager.give(up: number, .cancelled) }
    }.get()
  }

  private func give(up number: UInt64, _ error: BluetoothError) {
    waiters.removeValue(forKey: number)?.fail(error)
  }
}
