import BluetoothLE
import DBus
import MainLoop
import RadioSimulator
import Synchronization
import TestSupport

/// A room with a board, `hci0`, and laptops, `hci1` and up, in which BlueZ is played.
final class Room: Sendable {
  let loop: MainLoop
  let bus: PrivateBus
  let bluez: SimulatedBlueZ
  private let connections = Mutex<[Connection]>([])

  init(loop: MainLoop, bus: PrivateBus, bluez: SimulatedBlueZ) {
    self.loop = loop
    self.bus = bus
    self.bluez = bluez
  }

  func connection() async throws -> Connection {
    let connection = try await Connection.open(.address(bus.address), loop: loop)
    connections.withLock { $0.append(connection) }
    return connection
  }

  /// Waits for what nobody announces, and lets the loop turn meanwhile.
  func until(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await loop.sleep(for: .milliseconds(5)) }
  }

  /// Ends what was opened here.
  func leave() async {
    for connection in connections.withLock({ $0 }) { await connection.close() }
    await bluez.stop()
  }

  /// A manager of an adapter, with a connection of its own as in a program of its own.
  func peripheral(
    _ adapter: AdapterSelection = .named("hci0"), powersOn: Bool = true,
    pairing: PairingMethod? = nil
  ) async throws -> PeripheralManager {
    PeripheralManager(
      connection: try await connection(), adapter: adapter, powersOn: powersOn, pairing: pairing)
  }

  func central(_ adapter: AdapterSelection = .named("hci1"), powersOn: Bool = false)
    async throws -> CentralManager
  {
    CentralManager(connection: try await connection(), adapter: adapter, powersOn: powersOn)
  }
}

/// The address of the simulated `hci0`.
let boardAddress = BluetoothAddress("00:AA:01:00:00:00")

/// Runs a test's body in a room.
func inRoom(
  _ adapters: [SimulatedAdapter] = [SimulatedAdapter(0), SimulatedAdapter(1), SimulatedAdapter(2)],
  started: Bool = true, timing: RadioTiming = .fast,
  _ body: @escaping @Sendable (Room) async throws -> Void
) async throws {
  try await onPrivateBus { loop, bus in
    let bluez = SimulatedBlueZ(
      loop: loop, busAddress: bus.address, adapters: adapters, timing: timing)
    if started { try await bluez.start() }
    let room = Room(loop: loop, bus: bus, bluez: bluez)
    do {
      try await body(room)
      await room.leave()
    } catch {
      await room.leave()
      throw error
    }
  }
}

extension RadioTiming {
  static var fast: RadioTiming {
    var timing = RadioTiming()
    timing.latency = .milliseconds(1)
    timing.connection = .milliseconds(5)
    timing.resolution = .milliseconds(5)
    timing.disconnection = .milliseconds(5)
    timing.advertisingInterval = .milliseconds(10)
    timing.managers = .milliseconds(5)
    return timing
  }
}

/// What a peripheral manager tells, for tests that wait for it.
final class PeripheralLog: Sendable {
  let events: AsyncStream<PeripheralManager.Event>
  private let continuation: AsyncStream<PeripheralManager.Event>.Continuation

  init() { (events, continuation) = AsyncStream.makeStream() }

  func follow(_ manager: PeripheralManager) async {
    await manager.start { [continuation] event in continuation.yield(event) }
  }

  /// The next status that is as wanted.
  func status(where isWanted: (PeripheralManager.Status) -> Bool) async
    -> PeripheralManager.Status?
  {
    for await event in events {
      if case .statusChanged(let status) = event, isWanted(status) { return status }
    }
    return nil
  }

  /// The next passkey to show.
  func passkey() async -> Passkey? {
    for await event in events {
      if case .passkey(let passkey, _) = event { return passkey }
    }
    return nil
  }

  func advertising() async { _ = await status { $0.isAdvertising && $0.isPublished } }

  /// The next central that goes.
  func disconnected() async -> Central? {
    for await event in events {
      if case .centralDisconnected(let central) = event { return central }
    }
    return nil
  }

  /// The next change of a subscription.
  func subscription() async -> Bool? {
    for await event in events {
      if case .subscriptionChanged(_, _, let isSubscribed) = event { return isSubscribed }
    }
    return nil
  }
}

/// A board's services, and what centrals did with them.
final class Board: Sendable {
  static let service = BluetoothUUID(UInt16(0xFF00))
  static let control = BluetoothUUID(UInt16(0xFF03))
  static let status = BluetoothUUID(UInt16(0xFF04))
  static let command = BluetoothUUID(UInt16(0xFF05))
  static let information = BluetoothUUID(UInt16(0xFF11))
  static let longValue = (0..<500).map { UInt8(truncatingIfNeeded: $0) }
  static let advertisement = AdvertisementData(
    localName: "board", serviceUUIDs: [service], serviceData: [service: [0x57, 0x50, 1, 0]])

  private let log = Mutex<[WriteRequest]>([])
  var writes: [WriteRequest] { log.withLock { $0 } }

  /// A write that begins with 0xEE is refused with the error in its second byte.
  var services: [LocalService] {
    let write: LocalCharacteristic.Write = { [self] request throws(ATTError) in
      log.withLock { $0.append(request) }
      if request.value.first == 0xEE, request.value.count == 2 {
        throw ATTError(rawValue: request.value[1])
      }
    }
    return [
      LocalService(
        Self.service,
        characteristics: [
          LocalCharacteristic(
            Self.control, properties: .write, userDescription: "Control", write: write),
          LocalCharacteristic(
            Self.status, properties: [.read, .notify],
            value: .dynamic { request throws(ATTError) in
              if request.central == nil { throw .insufficientAuthorization }
              return [UInt8(truncatingIfNeeded: request.mtu ?? 0)]
            }),
          LocalCharacteristic(Self.command, properties: .writeWithoutResponse, write: write),
          LocalCharacteristic(
            Self.information, properties: .read, value: .fixed(Self.longValue)),
        ])
    ]
  }
}
