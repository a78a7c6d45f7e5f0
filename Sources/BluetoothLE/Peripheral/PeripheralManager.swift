package import DBus
public import MainLoop

/// Offers services to centrals, and advertises, over BlueZ.
///
/// It keeps what was asked of it: when the Bluetooth service restarts, or the adapter goes and
/// comes back, the services are offered and advertised again. Everything runs on the loop; callers
/// that are there already may use `assumeIsolated`.
public actor PeripheralManager: LoopActor {
  /// The loop that everything runs on.
  public nonisolated let loop: MainLoop
  /// The loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// How far the manager has come with what was asked of it.
  public struct Status: Sendable, Hashable {
    /// What the adapter allows.
    public var state = ManagerState.unknown
    /// Whether connected centrals find the services.
    public var isPublished = false
    /// Whether the adapter advertises.
    public var isAdvertising = false
    /// What stands in the way; nil when everything is as asked, or on its way there.
    public var problem: BluetoothError?
  }

  /// What the manager tells, on the loop's thread and in the order in which it happened.
  public enum Event: Sendable {
    case statusChanged(Status)
    /// A central has a link to the adapter, and may read or write next.
    ///
    /// It may be told more than once, and of centrals that have no interest in the services.
    case centralConnected(Central)
    /// A central that has read or written is gone.
    case centralDisconnected(Central)
    /// The first central subscribed to a characteristic, or the last one left it.
    ///
    /// BlueZ does not say who. A bonded central's subscription may come back unannounced, so a
    /// value is worth sending whatever this says.
    case subscriptionChanged(
      characteristic: BluetoothUUID, service: BluetoothUUID, isSubscribed: Bool)
    /// A central pairs, and its user wants to type these digits: show them.
    case passkey(Passkey, for: Central)
    /// A central pairs, and nobody was asked.
    case pairing(Central)
  }

  let connection: Connection
  private let selection: AdapterSelection
  private let powersOn: Bool
  let pairing: PairingMethod?
  var monitor: AdapterMonitor?
  var handler: (@Sendable (Event) -> Void)?

  /// How far the manager has come.
  public internal(set) var status = Status()
  var condition = AdapterMonitor.Condition.unknown

  var table: LocalTable?
  var tableRegistrar: Registrar?
  var tableRoot: ObjectPath?
  var characteristics: [ExportedCharacteristic] = []
  /// Which objects stand below a root, until bluetoothd has let go of them.
  var exported: [ObjectPath: [ObjectPath]] = [:]

  var advertisement: AdvertisementData?
  var advertisementRegistrar: Registrar?
  var advertisementPath: ObjectPath?

  var agentRegistrar: Registrar?
  var agentPath: ObjectPath?

  var centrals: [ObjectPath: ConnectedCentral] = [:]
  var lastLink: UInt64 = 0
  /// Hears of centrals that never read or write, too; see ``watchLinks()``.
  var links: LinkWatch = .none

  /// Uses the system bus, with a connection of its own.
  ///
  /// - Parameters:
  ///   - powersOn: whether to switch the adapter on, once each time it appears.
  ///   - pairing: how centrals may pair; with nil other programs decide whether they may at all.
  ///     bluetoothd then asks this manager about all pairings of the machine, until another
  ///     program registers itself for that, and takes all adapters for pairable meanwhile. It
  ///     agrees to those of its own adapter. Bonds stay.
  /// - Throws: `noBus`.
  public init(
    loop: MainLoop, adapter: AdapterSelection = .any, powersOn: Bool = true,
    pairing: PairingMethod? = nil
  ) async throws(BluetoothError) {
    do {
      self.init(
        connection: try await Connection.open(.system, loop: loop), adapter: adapter,
        powersOn: powersOn, pairing: pairing)
    } catch {
      throw BluetoothError(bus: error)
    }
  }

  /// Uses a connection that the process has already.
  package init(
    connection: Connection, adapter: AdapterSelection = .any, powersOn: Bool = true,
    pairing: PairingMethod? = nil
  ) {
    loop = connection.loop
    self.connection = connection
    selection = adapter
    self.powersOn = powersOn
    self.pairing = pairing
  }

  /// Begins to follow the adapter; once.
  ///
  /// - Parameter handler: runs on the loop's thread.
  public func start(_ handler: @escaping @Sendable (Event) -> Void) {
    guard monitor == nil else { return }
    self.handler = handler
    let monitor = AdapterMonitor(
      connection: connection, selection: selection, role: .peripheral, powersOn: powersOn
    ) { [weak self] condition in self?.assumeIsolated { $0.conditionDidChange(condition) } }
    self.monitor = monitor
    tableRegistrar = registrar(.application)
    advertisementRegistrar = registrar(.advertisement)
    exportAgent()
    monitor.assumeIsolated { $0.start() }
    reconcile()
  }

  func registrar(_ kind: Registrar.Kind) -> Registrar {
    Registrar(
      kind, connection: connection,
      didChange: { [weak self] in self?.assumeIsolated { $0.updateStatus() } },
      didRetire: { [weak self] root in self?.assumeIsolated { $0.unexport(root) } })
  }

  /// Offers these services instead of those before, now or as soon as Bluetooth is there.
  ///
  /// - Throws: `invalidArguments` when a service or a characteristic of a service occurs twice, a
  ///   handler is missing, or BlueZ would not do what the properties say.
  public func publish(_ services: [LocalService]) throws(BluetoothError) {
    table = try LocalTable(services)
    export(services.isEmpty ? nil : table)
    reconcile()
  }

  /// Advertises this instead of what was before, now or as soon as Bluetooth is there.
  ///
  /// The local name goes into the scan response, cut to 29 bytes between two characters.
  ///
  /// - Throws: `advertisementTooLong` with the first part that does not fit into 31 bytes.
  public func startAdvertising(_ data: AdvertisementData) throws(BluetoothError) {
    try AdvertisementBudget.check(data)
    guard data != advertisement else { return }
    advertisement = data
    renewAdvertisement()
  }

  /// Withdraws the advertisement.
  public func stopAdvertising() {
    advertisement = nil
    renewAdvertisement()
  }

  /// Sends a value to every central that has subscribed.
  ///
  /// Values leave in the order of the calls. Where nobody has subscribed nothing is sent.
  ///
  /// - Throws: `valueTooLong` when a connected central's MTU does not allow it; nothing is sent
  ///   then. `invalidArguments` for a characteristic that is not published or cannot notify.
  public func updateValue(
    _ value: [UInt8], for characteristic: BluetoothUUID, of service: BluetoothUUID
  ) throws(BluetoothError) {
    guard
      let entry = characteristics.first(where: {
        $0.service == service && $0.characteristic.uuid == characteristic
      }), !entry.characteristic.properties.isDisjoint(with: [.notify, .indicate])
    else {
      throw BluetoothError(
        .invalidArguments, "\(characteristic) of \(service) is not there or cannot notify")
    }
    let maximum = maximumUpdateValueLength
    guard value.count <= maximum else {
      throw BluetoothError(
        .valueTooLong(maximum: maximum),
        "a value of \(value.count) bytes, where a notification carries \(maximum)")
    }
    guard tableRegistrar?.assumeIsolated({ $0.isRegistered }) == true else { return }
    let path = entry.path
    connection.assumeIsolated {
      $0.propertiesChanged(path, BlueZ.Interface.gattCharacteristic, ["Value": .bytes(value)])
    }
  }

  /// The longest value that reaches every connected central whole, in bytes.
  ///
  /// It is 20 until a central with a larger MTU has read or written.
  public var maximumUpdateValueLength: Int {
    let smallest = centrals.values.map { $0.mtu ?? Self.defaultMTU }.min() ?? Self.defaultMTU
    return max(smallest - Self.notificationHeader, Self.defaultLength)
  }

  /// Withdraws the services and the advertisement, and ends; returns when BlueZ has done so.
  public func stop() async {
    table = nil
    advertisement = nil
    agentPath = nil
    export(nil)
    renewAdvertisement()
    await agentRegistrar?.settle()
    await advertisementRegistrar?.settle()
    await tableRegistrar?.settle()
    await monitor?.stop()
    conditionDidChange(.unknown)
    handler = nil
  }

  /// What a link has before the two sides agree on more (Core Specification, Vol 3, Part G, 5.2.1).
  private static let defaultMTU = 23
  private static let defaultLength = 20
  /// How many bytes of a notification are not the value's.
  ///
  /// BlueZ takes two more than usual for a central that knows notifications of several values (Core
  /// Specification, Vol 3, Part F, 3.4.7.4), and cuts off what then does not fit.
  private static let notificationHeader = 5
}
