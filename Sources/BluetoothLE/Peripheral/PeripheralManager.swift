package import DBus
public import MainLoop

/// Offers services to centrals, and advertises, over BlueZ.
///
/// It keeps what was asked of it: when the Bluetooth service restarts, or the adapter goes and
/// comes back, the services are offered and advertised again. Everything runs on the loop; callers
/// that are there already may use `assumeIsolated`.
public actor PeripheralManager {
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
    /// A central that has read or written is gone.
    case centralDisconnected(Central)
    /// The first central subscribed to a characteristic, or the last one left it.
    ///
    /// BlueZ does not say who. A bonded central's subscription may come back unannounced, so a
    /// value is worth sending whatever this says.
    case subscriptionChanged(
      characteristic: BluetoothUUID, service: BluetoothUUID, isSubscribed: Bool)
  }

  private let connection: Connection
  private let selection: AdapterSelection
  private let powersOn: Bool

  /// How far the manager has come.
  public private(set) var status = Status()

  /// Uses the system bus, with a connection of its own.
  ///
  /// - Parameter powersOn: whether to switch the adapter on, once each time it appears.
  /// - Throws: `noBus`.
  public init(loop: MainLoop, adapter: AdapterSelection = .any, powersOn: Bool = true)
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
  package init(connection: Connection, adapter: AdapterSelection = .any, powersOn: Bool = true) {
    loop = connection.loop
    self.connection = connection
    selection = adapter
    self.powersOn = powersOn
  }

  /// Begins to follow the adapter; once.
  ///
  /// - Parameter handler: runs on the loop's thread.
  public func start(_ handler: @escaping @Sendable (Event) -> Void) {}

  /// Offers these services instead of those before, now or as soon as Bluetooth is there.
  ///
  /// - Throws: `invalidArguments` when a service or a characteristic of a service occurs twice, a
  ///   handler is missing, or BlueZ would not do what the properties say.
  public func publish(_ services: [LocalService]) throws(BluetoothError) {}

  /// Advertises this instead of what was before, now or as soon as Bluetooth is there.
  ///
  /// The local name goes into the scan response, cut to 29 bytes between two characters.
  ///
  /// - Throws: `advertisementTooLong` with the first part that does not fit into 31 bytes.
  public func startAdvertising(_ data: AdvertisementData) throws(BluetoothError) {}

  /// Withdraws the advertisement.
  public func stopAdvertising() {}

  /// Sends a value to every central that has subscribed.
  ///
  /// Values leave in the order of the calls. Where nobody has subscribed nothing is sent.
  ///
  /// - Throws: `valueTooLong` when a connected central's MTU does not allow it; nothing is sent
  ///   then. `invalidArguments` for a characteristic that is not published or cannot notify.
  public func updateValue(
    _ value: [UInt8], for characteristic: BluetoothUUID, of service: BluetoothUUID
  ) throws(BluetoothError) {}

  /// The longest value that reaches every connected central whole, in bytes.
  ///
  /// It is 20 until a central with a larger MTU has read or written.
  public var maximumUpdateValueLength: Int { 20 }

  /// Withdraws the services and the advertisement, and ends; returns when BlueZ has done so.
  public func stop() async {}
}
