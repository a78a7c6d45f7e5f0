package import DBus
public import MainLoop

/// Finds peripherals, connects to them and uses their services, over BlueZ.
///
/// Every method ends soon after its task is cancelled, with `cancelled`, and leaves nothing of
/// itself behind. Everything runs on the loop.
public actor CentralManager: LoopActor {
  /// The loop that everything runs on.
  public nonisolated let loop: MainLoop
  /// The loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  let connection: Connection
  private let selection: AdapterSelection
  private let powersOn: Bool
  private var monitor: AdapterMonitor?
  var condition = AdapterMonitor.Condition.unknown

  /// Everything below the adapter, while it is followed.
  var objects = ManagedObjects()
  var mirror = Mirror.none
  /// Numbers for everything that waits, streams or runs.
  private var lastNumber: UInt64 = 0
  var waiters: [UInt64: Waiter] = [:]
  private var stateStreams: [UInt64: AsyncStream<ManagerState>.Continuation] = [:]
  var scans: [UInt64: Scan] = [:]
  var isDiscovering = false
  /// The end of the last scan, while it may be under way.
  var stopping: Task<Void, Never>?
  var operations: [UInt64: Operation] = [:]
  var subscriptions: [UInt64: ValueStream] = [:]
  /// What this manager connected, to be taken down in the end.
  var links: Set<ObjectPath> = []
  /// Why links broke, where BlueZ says it (5.83 and later).
  var disconnectReasons: [ObjectPath: String] = [:]

  /// What the manager can do.
  public var state: ManagerState { condition.state(for: .central).0 }

  /// Uses the system bus, with a connection of its own.
  ///
  /// - Parameter powersOn: whether to switch the adapter on, once each time it appears.
  /// - Throws: `noBus`.
  public init(loop: MainLoop, adapter: AdapterSelection = .any, powersOn: Bool = false)
    async throws(BluetoothError)
  {
    do {
      self.init(
        connection: try await Connection.open(.system, loop: loop), adapter: adapter,
        powersOn: powersOn)
    } catch {
      throw BluetoothError(bus: error)
    }
  }

  /// Uses a connection that the process has already.
  package init(connection: Connection, adapter: AdapterSelection = .any, powersOn: Bool = false) {
    loop = connection.loop
    self.connection = connection
    selection = adapter
    self.powersOn = powersOn
  }

  /// The states from now on, the present one first.
  public func states() -> AsyncStream<ManagerState> {
    start()
    let number = nextNumber()
    let (stream, continuation) = AsyncStream.makeStream(
      of: ManagerState.self, bufferingPolicy: .unbounded)
    stateStreams[number] = continuation
    continuation.onTermination = { [weak self, loop] _ in
      Task(executorPreference: loop) { [weak self] in await self?.endStates(number) }
    }
    continuation.yield(state)
    return stream
  }

  private func endStates(_ number: UInt64) { stateStreams[number] = nil }

  /// Waits until the adapter can be used.
  ///
  /// - Throws: after `timeout` what is in the way: `serviceNotRunning`, `noAdapter`,
  ///   `unsupported`, `unauthorized`, `poweredOff` or `blocked`.
  public func waitUntilPoweredOn(timeout: Duration) async throws(BluetoothError) {
    start()
    do {
      try await wait(timeout) { manager -> Result<Void, BluetoothError>? in
        guard manager.state != .poweredOn else { return .success(()) }
        // Waiting does not bring the bus back, or change its policy.
        let problem = manager.condition.state(for: .central).1
        return problem.flatMap { [.noBus, .unauthorized].contains($0.code) ? .failure($0) : nil }
      }
    } catch {
      guard error.code == .timedOut else { throw error }
      throw condition.state(for: .central).1
        ?? BluetoothError(.timedOut, "bluetoothd did not answer within \(timeout)")
    }
  }

  /// Ends scans and subscriptions and takes down the links that this manager brought up.
  public func close() async {
    // Not cut short by the cancellation that may have led here.
    await task { manager in
      await manager.closeLinks()
      await manager.monitor?.stop()
      manager.monitor = nil
      manager.conditionDidChange(.unknown)
      for stream in manager.stateStreams.values { stream.finish() }
      manager.stateStreams = [:]
    }.value
  }

  private func closeLinks() async {
    for scan in scans.values { scan.continuation.finish() }
    scans = [:]
    await stopDiscovery()
    for subscription in subscriptions.values { subscription.continuation.finish() }
    subscriptions = [:]
    for device in links { await takeDown(device) }
  }

  /// Begins to follow the adapter, the first time that somebody needs it.
  func start() {
    guard monitor == nil else { return }
    let monitor = AdapterMonitor(
      connection: connection, selection: selection, role: .central, powersOn: powersOn
    ) { [weak self] condition in self?.assumeIsolated { $0.conditionDidChange(condition) } }
    self.monitor = monitor
    monitor.assumeIsolated { $0.start() }
  }

  func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  private func conditionDidChange(_ condition: AdapterMonitor.Condition) {
    let (old, oldState) = (self.condition.adapter, state)
    self.condition = condition
    let adapter = condition.adapter
    if old?.owner != adapter?.owner || old?.path != adapter?.path { dropMirror() }
    let (state, problem) = condition.state(for: .central)
    if state != oldState {
      for stream in stateStreams.values { stream.yield(state) }
      if state != .poweredOn {
        isDiscovering = false
        let error = problem ?? BluetoothError(.poweredOff, "the adapter is gone")
        for scan in scans.values { scan.continuation.finish(throwing: error) }
        scans = [:]
      }
    }
    poll()
  }
}
