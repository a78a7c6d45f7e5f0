package import DBus
public import MainLoop

/// Finds peripherals, connects to them and uses their services, over BlueZ.
///
/// Every method ends soon after its task is cancelled, with `cancelled`, and leaves nothing of
/// itself behind. Everything runs on the loop.
public actor CentralManager {
  /// The loop that everything runs on.
  public nonisolated let loop: MainLoop
  /// The loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  private let connection: Connection
  private let selection: AdapterSelection
  private let powersOn: Bool

  /// What the manager can do.
  public private(set) var state = ManagerState.unknown

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
  public func states() -> AsyncStream<ManagerState> { AsyncStream { $0.finish() } }

  /// Waits until the adapter can be used.
  ///
  /// - Throws: after `timeout` what is in the way: `serviceNotRunning`, `noAdapter`,
  ///   `unsupported`, `unauthorized`, `poweredOff` or `blocked`.
  public func waitUntilPoweredOn(timeout: Duration) async throws(BluetoothError) {
    throw .notYet
  }

  /// The advertisements that are heard, each within a second, repeated ones too.
  ///
  /// Peripherals that BlueZ knows from before come only when they are heard. Dropping the stream
  /// ends the scan. The stream throws a ``BluetoothError`` when the adapter or the service goes.
  ///
  /// - Parameter services: only peripherals that advertise one of these, as UUID or with service
  ///   data; all when it is empty.
  public func scan(for services: [BluetoothUUID] = [])
    async throws(BluetoothError) -> AsyncThrowingStream<Discovery, any Error>
  {
    throw .notYet
  }

  /// Brings the link up.
  ///
  /// - Parameter timeout: after this the attempt is given up, in BlueZ too.
  /// - Throws: `connectionFailed` where another try may help, `connectionRefused` where not,
  ///   `unknownPeripheral` where a new scan is needed first, `timedOut`.
  public func connect(_ peripheral: BluetoothAddress, timeout: Duration = .seconds(30))
    async throws(BluetoothError)
  {
    throw .notYet
  }

  /// Waits until BlueZ knows the services of a connected peripheral.
  ///
  /// - Throws: `notConnected` as soon as the link breaks, `timedOut`.
  public func discoverServices(
    of peripheral: BluetoothAddress, timeout: Duration = .seconds(30)
  ) async throws(BluetoothError) -> [RemoteService] {
    throw .notYet
  }

  /// Reads a whole value, however long.
  public func readValue(of characteristic: RemoteCharacteristic)
    async throws(BluetoothError) -> [UInt8]
  {
    throw .notYet
  }

  /// Writes a value; with a response, waits for it.
  ///
  /// - Throws: `attribute` with the peripheral's error, `valueTooLong` for a write without
  ///   response that does not fit.
  public func writeValue(
    _ value: [UInt8], to characteristic: RemoteCharacteristic, type: WriteType = .withResponse
  ) async throws(BluetoothError) {
    throw .notYet
  }

  /// How many bytes one packet carries, as far as BlueZ says; 20 otherwise.
  public func maximumWriteValueLength(for characteristic: RemoteCharacteristic)
    async throws(BluetoothError) -> Int
  {
    throw .notYet
  }

  /// The values that the peripheral notifies or indicates, from when this returns.
  ///
  /// Dropping the stream ends the subscription. The stream throws a ``BluetoothError`` when the
  /// link breaks.
  public func subscribe(to characteristic: RemoteCharacteristic)
    async throws(BluetoothError) -> AsyncThrowingStream<[UInt8], any Error>
  {
    throw .notYet
  }

  /// Takes the link down, and gives up one that is coming up; does nothing where there is none.
  public func disconnect(_ peripheral: BluetoothAddress) async {}

  /// Has BlueZ forget the peripheral: its bond, and its cached services above all.
  public func remove(_ peripheral: BluetoothAddress) async {}

  /// Ends scans and subscriptions and takes down the links that this manager brought up.
  public func close() async {}
}

extension BluetoothError {
  static let notYet = BluetoothError(.unsupported, "the central role is not built yet")
}
