import DBus
import MainLoop
import RadioSimulator
import Synchronization
import TestSupport
import Testing

/// A program that scans and connects: what a laptop's does, in plain D-Bus.
final class Laptop: Sendable {
  static let adapter = ObjectPath(literal: "/org/bluez/hci1")
  static let device = ObjectPath(literal: "/org/bluez/hci1/dev_00_AA_01_00_00_00")

  let bus: Connection
  private let heard = Mutex<[Message]>([])
  private let waiting = Mutex<[@Sendable () -> Void]>([])
  private let subscription = Mutex<Subscription?>(nil)

  init(_ bus: Connection) async throws {
    self.bus = bus
    let all = try await bus.subscribe(MatchRule(sender: "org.bluez")) { [weak self] message in
      self?.heard.withLock { $0.append(message) }
      let waiting = self?.waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for next in waiting ?? [] { next() }
    }
    subscription.withLock { $0 = all }
  }

  @discardableResult
  func call(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = []
  ) async throws(BusError) -> [Value] {
    try await bus.call("org.bluez", path, interface, member, arguments)
  }

  func property(_ name: String, of interface: String, _ path: ObjectPath) async throws -> Value {
    try await bus.property(name, of: interface, "org.bluez", path)
  }

  /// Waits until a signal from BlueZ, an earlier one too, makes something of itself.
  func wait<Result: Sendable>(for match: @escaping @Sendable (Message) -> Result?) async -> Result {
    while true {
      let (found, count) = heard.withLock { ($0.lazy.compactMap(match).first, $0.count) }
      if let found { return found }
      await withCheckedContinuation { continuation in
        let isLate = heard.withLock { heard in
          if heard.count != count { return true }
          waiting.withLock { $0.append { continuation.resume() } }
          return false
        }
        if isLate { continuation.resume() }
      }
    }
  }

  /// Waits for a property's value in a `PropertiesChanged` or `InterfacesAdded`.
  func wait(
    for name: String, of path: ObjectPath, _ interface: String,
    _ match: @escaping @Sendable (Value) -> Bool = { _ in true }
  ) async -> Value {
    await wait { message in
      let values: [String: Value]?
      switch message.member {
      case "PropertiesChanged" where message.path == path:
        guard message.arguments.first?.asString == interface else { return nil }
        values = message.arguments.dropFirst().first?.asDictionary
      case "InterfacesAdded" where message.arguments.first?.asObjectPath == path:
        values = message.arguments.last?.asDictionary?[interface]?.asDictionary
      default: return nil
      }
      return values?[name].flatMap { match($0) ? $0 : nil }
    }
  }

  func forget() { heard.withLock { $0 = [] } }

  var signals: [Message] { heard.withLock { $0 } }

  /// Scans until the board's device is there.
  func find() async throws {
    try await call(
      Self.adapter, "org.bluez.Adapter1", "SetDiscoveryFilter",
      [.properties(["Transport": .string("le")])])
    try await call(Self.adapter, "org.bluez.Adapter1", "StartDiscovery")
    _ = await wait(for: "Address", of: Self.device, "org.bluez.Device1")
  }

  /// Finds the board, connects, and waits for its services.
  func connect() async throws {
    try await find()
    try await call(Self.device, "org.bluez.Device1", "Connect")
    _ = await wait(for: "ServicesResolved", of: Self.device, "org.bluez.Device1") {
      $0.asBool == true
    }
  }

  /// The object of a characteristic of the board, by the four digits of its UUID.
  func characteristic(_ number: String) async throws -> ObjectPath {
    let reply = try await bus.call(
      "org.bluez", .root, StandardInterface.objectManager, "GetManagedObjects")
    let found = reply.first?.asEntries?.first { entry in
      let properties = entry.value.asDictionary?["org.bluez.GattCharacteristic1"]?.asDictionary
      return properties?["UUID"]?.asString == "0000\(number)-0000-1000-8000-00805f9b34fb"
    }
    return try #require(found?.key.asObjectPath)
  }

  func read(_ path: ObjectPath, offset: UInt16? = nil) async throws(BusError) -> [UInt8] {
    let options = offset.map { ["offset": Value.uint16($0)] } ?? [:]
    let reply = try await call(
      path, "org.bluez.GattCharacteristic1", "ReadValue", [.properties(options)])
    return reply.first?.asBytes ?? []
  }

  func write(_ path: ObjectPath, _ value: [UInt8], type: String? = nil) async throws(BusError) {
    let options = type.map { ["type": Value.string($0)] } ?? [:]
    try await call(
      path, "org.bluez.GattCharacteristic1", "WriteValue",
      [.bytes(value), .properties(options)])
  }
}

/// Runs a body in a room with a board on `hci0` and a laptop on `hci1`.
func inRoom(
  adapters: [SimulatedAdapter] = [SimulatedAdapter(0), SimulatedAdapter(1)],
  timing: RadioTiming = .quick,
  _ body: @escaping @Sendable (SimulatedBlueZ, Board, Laptop) async throws -> Void
) async throws {
  try await onPrivateBus { loop, bus in
    let bluez = SimulatedBlueZ(
      loop: loop, busAddress: bus.address, adapters: adapters, timing: timing)
    let board = try await Connection.open(.address(bus.address), loop: loop)
    let laptop = try await Laptop(Connection.open(.address(bus.address), loop: loop))
    try await bluez.start()
    for adapter in adapters where adapter.hasLowEnergy {
      _ = await laptop.wait { message -> Value? in
        guard message.member == "InterfacesAdded",
          message.arguments.first?.asObjectPath?.string == "/org/bluez/\(adapter.name)"
        else { return nil }
        return message.arguments.last?.asDictionary?["org.bluez.GattManager1"]
      }
    }
    try await body(bluez, Board(board), laptop)
    await bluez.stop()
    await board.close()
    await laptop.bus.close()
  }
}

extension RadioTiming {
  /// As fast as the order of events allows.
  static var quick: RadioTiming {
    var timing = RadioTiming()
    timing.latency = .milliseconds(1)
    timing.connection = .milliseconds(2)
    timing.resolution = .milliseconds(2)
    timing.disconnection = .milliseconds(2)
    timing.advertisingInterval = .milliseconds(5)
    timing.managers = .milliseconds(1)
    return timing
  }
}
