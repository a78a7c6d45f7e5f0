internal import DBus
internal import MainLoop

/// Follows BlueZ and one of its adapters, and sleeps while nothing happens to either.
///
/// Another program's discovery makes bluetoothd announce and change devices many times a second.
/// So once an adapter is there that can take the role, the match rules name it and nothing else.
actor AdapterMonitor: LoopActor {
  nonisolated let loop: MainLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// What is known at the moment.
  enum Condition: Sendable, Hashable {
    case unknown
    case unavailable(BluetoothError)
    /// The adapter may be off, or unable to take the role.
    case present(Adapter)
  }

  private let connection: Connection
  private let selection: AdapterSelection
  private let role: Adapter.Role
  private let powersOn: Bool
  private let handler: @Sendable (Condition) -> Void

  private(set) var condition = Condition.unknown
  private var ownerWatch: Subscription?
  private var owner: String?
  private var hasTriedToStartService = false
  /// Counts owners and looks, so that an answer to an older question is dropped.
  private var generation = 0
  private var objects = ManagedObjects()
  private var chosen: ObjectPath?
  /// The address of the adapter that was in use last.
  private var lastAddress: String?
  private var settling = Settling.inFirstLook
  private var propertyRule: Subscription?
  private var objectRules: [Subscription] = []
  private var isNarrow = false
  private var isLooking = false

  private var backoff = Backoff()
  private var retry: LoopTimer?
  /// The adapter that was switched on, or could not be.
  private var poweredOn: ObjectPath?
  private var powerError: BluetoothError?

  /// Whether all adapters that are there may be expected to be known.
  ///
  /// bluetoothd announces its adapters one by one, the last one first, and their managers later;
  /// when it ends it withdraws them in the same way. Whoever took the first that is left would end
  /// up with another one, and might switch it on.
  private enum Settling {
    /// What runs already when we come has settled if it has what we need.
    case inFirstLook
    case waiting(LoopTimer)
    case done
  }

  /// More than bluetoothd takes for its adapters.
  private static let settlingTime = Duration.seconds(2)

  /// - Parameter handler: runs on the loop's thread whenever the condition changes.
  init(
    connection: Connection, selection: AdapterSelection, role: Adapter.Role, powersOn: Bool,
    handler: @escaping @Sendable (Condition) -> Void
  ) {
    loop = connection.loop
    self.connection = connection
    self.selection = selection
    self.role = role
    self.powersOn = powersOn
    self.handler = handler
  }

  /// Begins; once.
  func start() {
    task { monitor in
      await monitor.connection.onClose { [weak self] in self?.assumeIsolated { $0.busDidClose() } }
      do throws(BusError) {
        monitor.ownerWatch = try await monitor.connection.watchName(BlueZ.service) {
          [weak self] owner in
          self?.assumeIsolated { $0.ownerDidChange(owner) }
        }
      } catch {
        monitor.set(.unavailable(BluetoothError(bus: error)))
      }
    }
  }

  /// Ends: the handler is not called again.
  func stop() {
    ownerWatch?.cancel()
    ownerWatch = nil
    forget()
  }

  private func forget() {
    generation += 1
    retry?.cancel()
    retry = nil
    if case .waiting(let timer) = settling { timer.cancel() }
    backoff.reset()
    objects = ManagedObjects()
    chosen = nil
    poweredOn = nil
    powerError = nil
    propertyRule = nil
    objectRules = []
    isNarrow = false
    isLooking = false
  }

  private func busDidClose() {
    forget()
    set(.unavailable(BluetoothError(bus: .disconnected)))
  }

  private func ownerDidChange(_ owner: String?) {
    forget()
    self.owner = owner
    // Also where a new one takes its place at once: nothing of the old one is left.
    if owner == nil || condition.adapter != nil { set(.unavailable(.serviceNotRunning())) }
    if owner == nil {
      settling = .done
      startService()
    } else {
      if case .inFirstLook = settling {} else { settle() }
      look()
    }
  }

  private func settle() {
    if case .waiting(let timer) = settling { timer.cancel() }
    settling = .waiting(
      loop.after(Self.settlingTime) { [weak self] in
        self?.assumeIsolated { monitor in
          monitor.settling = .done
          monitor.choose()
        }
      })
  }

  /// Asks the bus, once, to start a service that did not run when we came.
  private func startService() {
    guard !hasTriedToStartService else { return }
    hasTriedToStartService = true
    let question = generation
    task { monitor in
      do throws(BusError) {
        try await monitor.connection.startService(BlueZ.service)
      } catch {
        guard question == monitor.generation else { return }
        monitor.set(.unavailable(.serviceNotRunning(cause: .init(error))))
      }
    }
  }

  /// Hears everything, then asks for everything, without waiting in between.
  private func look() {
    guard let owner else { return }
    generation += 1
    let question = generation
    objects.awaitSnapshot()
    isNarrow = false
    isLooking = true
    let added = subscription(to: .added(from: owner))
    let removed = subscription(to: .removed(from: owner))
    let changed = subscription(to: .changed(BlueZ.Interface.adapter, from: owner))
    task { monitor in
      let reply = await monitor.connection.result(
        of: owner, .root, StandardInterface.objectManager, "GetManagedObjects")
      do throws(BusError) {
        let rules = [
          try await added.value.get(), try await removed.value.get(),
          try await changed.value.get(),
        ]
        guard question == monitor.generation else { return }
        monitor.objectRules = [rules[0], rules[1]]
        monitor.propertyRule = rules[2]
        guard let snapshot = ManagedObjects.snapshot(try reply.get()) else {
          throw BusError(name: BusError.Name.failed, message: "no objects in the reply")
        }
        monitor.isLooking = false
        monitor.objects.install(Self.adapters(in: snapshot))
        monitor.choose()
      } catch {
        guard question == monitor.generation else { return }
        monitor.isLooking = false
        monitor.objects.giveUpSnapshot()
        monitor.set(.unavailable(BluetoothError(service: error)))
        monitor.retryLater { $0.look() }
      }
    }
  }

  private func subscription(to rule: MatchRule) -> Task<Result<Subscription, BusError>, Never> {
    task { monitor in
      do throws(BusError) {
        return .success(
          try await monitor.connection.subscribe(rule) { [weak self] message in
            guard let change = ManagedObjects.Change(message) else { return }
            self?.assumeIsolated { $0.apply(change) }
          })
      } catch {
        return .failure(error)
      }
    }
  }

  private func apply(_ change: ManagedObjects.Change) {
    switch change {
    case .added(let path, let interfaces):
      // Devices are none of our business.
      let wanted = interfaces.filter { Self.interfaces.contains($0.key) }
      guard !wanted.isEmpty else { return }
      objects.apply(.added(path, wanted))
    case .removed(let path, _), .changed(let path, _, _, _):
      guard objects.objects[path] != nil else { return }
      objects.apply(change)
    }
    choose()
  }

  private static let interfaces: Set<String> = [
    BlueZ.Interface.adapter, BlueZ.Interface.gattManager, BlueZ.Interface.advertisingManager,
  ]

  private static func adapters(in objects: ManagedObjects.Objects) -> ManagedObjects.Objects {
    objects.compactMapValues { interfaces in
      let wanted = interfaces.filter { Self.interfaces.contains($0.key) }
      return wanted.isEmpty ? nil : wanted
    }
  }

  private func choose() {
    guard let owner, !isLooking else { return }
    let adapters = objects.all(BlueZ.Interface.adapter).map { path, properties in
      Adapter(
        owner: owner, path: path, interfaces: Set(objects.objects[path, default: [:]].keys),
        properties: properties)
    }.filter(isSelected)
    let able = adapters.filter { $0.canTake(role) }
    let adapter = pick(from: adapters, able)
    if isNarrow, adapter?.path != chosen || able.isEmpty {
      // Only that one was listened to: what is known of the others may be old.
      chosen = nil
      set(.unavailable(.noAdapter(selection)))
      settle()
      return look()
    }
    guard var adapter else {
      if adapters.isEmpty { set(.unavailable(.noAdapter(selection))) }
      return
    }
    if adapter.path != chosen {
      chosen = adapter.path
      poweredOn = nil
      powerError = nil
    }
    if adapter.isPowered {
      powerError = nil
      retry?.cancel()
      backoff.reset()
    }
    adapter.powerError = powerError
    set(.present(adapter))
    guard adapter.canTake(role) else { return }
    lastAddress = adapter.address
    switchOn(adapter)
    listenNarrowly(to: adapter)
  }

  /// The adapter to use; nil while a better one may come.
  private func pick(from adapters: [Adapter], _ able: [Adapter]) -> Adapter? {
    if let used = able.first(where: { $0.path == chosen })
      ?? able.first(where: { $0.address == lastAddress })
    {
      return used
    }
    // None can stand before the first, and a selected one is the only one.
    if let first = able.first, selection != .any || first.name == "hci0" { return first }
    switch settling {
    case .done: return able.first ?? adapters.first
    case .waiting: return nil
    case .inFirstLook:
      guard let first = able.first else {
        settle()
        return nil
      }
      settling = .done
      return first
    }
  }

  private func isSelected(_ adapter: Adapter) -> Bool {
    switch selection {
    case .any: true
    case .named(let name): adapter.name == name
    case .address(let address):
      adapter.properties["Address"]?.asString.flatMap { BluetoothAddress($0) } == address
    }
  }

  private func listenNarrowly(to adapter: Adapter) {
    guard !isNarrow else { return }
    isNarrow = true
    let question = generation
    let added = subscription(to: .added(adapter.path, from: adapter.owner))
    let removed = subscription(to: .removed(adapter.path, from: adapter.owner))
    task { monitor in
      guard case .success(let added) = await added.value,
        case .success(let removed) = await removed.value, question == monitor.generation
      else { return }
      // The wide rules go when these two have come, so nothing is missed.
      monitor.objectRules = [added, removed]
    }
  }

  private func switchOn(_ adapter: Adapter) {
    guard powersOn, poweredOn != adapter.path else { return }
    poweredOn = adapter.path
    // Only when it appears: whoever switches it off later means it.
    guard !adapter.isPowered else { return }
    let question = generation
    task { monitor in
      do throws(BusError) {
        try await monitor.connection.setProperty(
          "Powered", of: BlueZ.Interface.adapter, adapter.owner, adapter.path, to: .boolean(true))
      } catch {
        guard question == monitor.generation, monitor.chosen == adapter.path else { return }
        monitor.powerError = .init(power: error, of: adapter.name)
        monitor.choose()
        monitor.retryLater { monitor in
          monitor.poweredOn = nil
          monitor.choose()
        }
      }
    }
  }

  private func retryLater(_ action: @escaping @Sendable (isolated AdapterMonitor) -> Void) {
    retry?.cancel()
    retry = loop.after(backoff.next()) { [weak self] in self?.assumeIsolated { action($0) } }
  }

  private func set(_ condition: Condition) {
    guard condition != self.condition else { return }
    self.condition = condition
    handler(condition)
  }
}
