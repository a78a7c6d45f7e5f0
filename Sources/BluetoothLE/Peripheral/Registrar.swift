internal import DBus
internal import MainLoop

/// Keeps one exported object registered with one of BlueZ's managers, and retries what fails.
///
/// It compares what is registered with what is wanted and does one call at a time until they
/// agree, so nothing is missed when either changes meanwhile.
actor Registrar: LoopActor {
  nonisolated let loop: MainLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// The manager's interface and its methods.
  struct Kind: Sendable {
    let interface: String
    let register: String
    let unregister: String
    /// What `register` takes beside the path.
    let argument: Value
    /// A method to call with the path once it is registered, if there is one.
    var confirm: String?
    /// Whether the new object may be there before the old one goes, so that there is no gap.
    let overlaps: Bool
    /// The error that a refusal becomes.
    let failure: @Sendable (BusError) -> BluetoothError
  }

  /// Where to register: a bluetoothd and the object of its that has the manager.
  struct Target: Sendable, Hashable {
    let owner: String
    let path: ObjectPath
  }

  private enum Step {
    case register(ObjectPath)
    case unregister(ObjectPath)
  }

  private let kind: Kind
  private let connection: Connection
  private let didChange: @Sendable () -> Void
  private let didRetire: @Sendable (ObjectPath) -> Void

  private var target: Target?
  private var wanted: ObjectPath?
  /// In the order in which they were registered with the target.
  private var registered: [ObjectPath] = []
  private var canOverlap: Bool
  private var isWorking = false
  /// What is being registered.
  private var inFlight: ObjectPath?
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Why the last registration failed; nil since one succeeded or something else was wanted.
  private(set) var failure: BluetoothError?
  private var backoff = Backoff()
  private var retry: LoopTimer?

  /// - Parameters:
  ///   - didChange: runs on the loop's thread when ``isRegistered`` or ``failure`` may be another.
  ///   - didRetire: runs on the loop's thread when bluetoothd has let go of an object.
  init(
    _ kind: Kind, connection: Connection, didChange: @escaping @Sendable () -> Void,
    didRetire: @escaping @Sendable (ObjectPath) -> Void
  ) {
    loop = connection.loop
    self.kind = kind
    self.connection = connection
    self.didChange = didChange
    self.didRetire = didRetire
    canOverlap = kind.overlaps
  }

  /// Whether what is wanted is registered; where nothing is, whether something still is.
  var isRegistered: Bool { wanted.map { registered.contains($0) } ?? !registered.isEmpty }

  /// Whether the object is still of use to bluetoothd; if not, `didRetire` will not tell of it.
  func knows(_ path: ObjectPath) -> Bool {
    path == wanted || path == inFlight || registered.contains(path)
  }

  /// Says where and what, each nil for nothing; begins to work at once.
  func want(_ wanted: ObjectPath?, at target: Target?) {
    guard wanted != self.wanted || target != self.target else { return }
    let unwanted = self.wanted
    self.wanted = wanted
    if let unwanted, !knows(unwanted) { didRetire(unwanted) }
    if target != self.target {
      self.target = target
      canOverlap = kind.overlaps
      // That bluetoothd or that adapter is gone, and with it everything that was registered.
      let gone = registered
      registered = []
      for path in gone where path != wanted { didRetire(path) }
    }
    failure = nil
    backoff.reset()
    retry?.cancel()
    retry = nil
    work()
  }

  /// Takes in that bluetoothd has let go of an object by itself.
  func release(_ path: ObjectPath) {
    guard let index = registered.firstIndex(of: path) else { return }
    registered.remove(at: index)
    if path == wanted { retryLater() } else { didRetire(path) }
    didChange()
  }

  /// Waits until everything is as it is wanted, or has failed.
  func settle() async {
    guard isWorking else { return }
    await withCheckedContinuation { waiters.append($0) }
  }

  private func work() {
    guard !isWorking else { return }
    isWorking = true
    task { registrar in
      while let target = registrar.target, let step = registrar.nextStep() {
        await registrar.take(step, target)
      }
      registrar.isWorking = false
      registrar.didChange()
      let waiters = registrar.waiters
      registrar.waiters = []
      for waiter in waiters { waiter.resume() }
    }
  }

  private func nextStep() -> Step? {
    let old = registered.first { $0 != wanted }
    if let wanted, !registered.contains(wanted), retry == nil, registered.isEmpty || canOverlap {
      return .register(wanted)
    }
    return old.map { .unregister($0) }
  }

  private func take(_ step: Step, _ target: Target) async {
    switch step {
    case .register(let path): await register(path, target)
    case .unregister(let path):
      _ = await connection.result(
        of: target.owner, target.path, kind.interface, kind.unregister, [.objectPath(path)],
        timeout: .seconds(5))
      guard target == self.target else { return }
      // Whatever it says: it is not to be there any more, and asking twice does not help.
      registered.removeAll { $0 == path }
      if path != wanted { didRetire(path) }
    }
  }

  private func register(_ path: ObjectPath, _ target: Target) async {
    inFlight = path
    var result = await connection.result(
      of: target.owner, target.path, kind.interface, kind.register,
      [.objectPath(path), kind.argument])
    if case .success = result, let confirm = kind.confirm {
      result = await connection.result(
        of: target.owner, target.path, kind.interface, confirm, [.objectPath(path)])
    }
    inFlight = nil
    guard target == self.target else {
      if path != wanted { didRetire(path) }
      return
    }
    switch result {
    case .failure(let error) where error.name != BlueZ.ErrorName.alreadyExists:
      if canOverlap, !registered.isEmpty {
        // The adapter may have room for one only.
        canOverlap = false
      } else if path == wanted {
        failure = kind.failure(error)
        retryLater()
      }
      if path != wanted { didRetire(path) }
    default:
      registered.append(path)
      if path == wanted {
        failure = nil
        backoff.reset()
      }
    }
    didChange()
  }

  private func retryLater() {
    retry?.cancel()
    retry = loop.after(backoff.next()) { [weak self] in
      self?.assumeIsolated { registrar in
        registrar.retry = nil
        registrar.work()
      }
    }
  }
}
