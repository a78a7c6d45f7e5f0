import DBus
import MainLoop
import RadioSimulator
import Synchronization

/// A program that serves attributes: what a device's daemon does, in plain D-Bus.
final class Board: Sendable {
  static let root = ObjectPath(literal: "/board")
  static let service = ObjectPath(literal: "/board/service")
  static let advertisement = ObjectPath(literal: "/board/advertisement")
  static let uuid = "0000ff00-0000-1000-8000-00805f9b34fb"

  let bus: Connection
  /// The calls that arrived, in their order.
  let calls = Mutex<[Call]>([])

  struct Call: Sendable {
    let member: String
    let path: ObjectPath
    let value: [UInt8]?
    let options: [String: Value]
  }

  init(_ bus: Connection) { self.bus = bus }

  /// Offers characteristics and registers them on `hci0`.
  func serve(_ characteristics: [Characteristic]) async throws {
    await bus.exportObjectManager(at: Self.root)
    await bus.export(
      Self.service,
      [
        Interface(
          "org.bluez.GattService1",
          properties: [
            Property("UUID", .string(Self.uuid)), Property("Primary", .boolean(true)),
          ])
      ])
    for characteristic in characteristics {
      await bus.export(characteristic.path, [interface(characteristic)])
    }
    try await registerApplication()
  }

  func registerApplication() async throws {
    _ = try await bus.call(
      "org.bluez", ObjectPath(literal: "/org/bluez/hci0"), "org.bluez.GattManager1",
      "RegisterApplication", [.objectPath(Self.root), .properties([:])])
  }

  func unregisterApplication() async throws {
    _ = try await bus.call(
      "org.bluez", ObjectPath(literal: "/org/bluez/hci0"), "org.bluez.GattManager1",
      "UnregisterApplication", [.objectPath(Self.root)])
  }

  func advertise(_ properties: [String: Value] = Board.advertisementProperties) async throws {
    await bus.unexport(Self.advertisement)
    await bus.export(
      Self.advertisement,
      [
        Interface(
          "org.bluez.LEAdvertisement1", methods: [Method("Release") { _ in .reply([]) }],
          properties: properties.map { Property($0.key, $0.value) })
      ])
    _ = try await bus.call(
      "org.bluez", ObjectPath(literal: "/org/bluez/hci0"), "org.bluez.LEAdvertisingManager1",
      "RegisterAdvertisement", [.objectPath(Self.advertisement), .properties([:])])
  }

  static let advertisementProperties: [String: Value] = [
    "Type": .string("peripheral"), "ServiceUUIDs": .strings([uuid]),
    "ServiceData": .properties([uuid: .bytes([0x57, 0x50, 1])]),
    "LocalName": .string("board"), "Discoverable": .boolean(true),
  ]

  func notify(_ path: ObjectPath, _ value: [UInt8]) async {
    await bus.propertiesChanged(path, "org.bluez.GattCharacteristic1", ["Value": .bytes(value)])
  }

  private func interface(_ characteristic: Characteristic) -> Interface {
    Interface(
      "org.bluez.GattCharacteristic1",
      methods: [
        Method("ReadValue", in: "a{sv}", out: "ay") { [self] call in
          record(call, value: nil)
          return characteristic.read(call.arguments.last?.asDictionary?["offset"]?.asInteger ?? 0)
        },
        Method("WriteValue", in: "aya{sv}") { [self] call in
          record(call, value: call.arguments.first?.asBytes)
          return characteristic.write(call.arguments.first?.asBytes ?? [])
        },
        Method("StartNotify") { [self] call in
          record(call, value: nil)
          return .reply([])
        },
        Method("StopNotify") { [self] call in
          record(call, value: nil)
          return .reply([])
        },
      ],
      properties: [
        Property("UUID", .string(characteristic.uuid)),
        Property("Service", .objectPath(Self.service)),
        Property("Flags", .strings(characteristic.flags)),
      ])
  }

  private func record(_ call: MethodCall, value: [UInt8]?) {
    let options = call.arguments.last?.asDictionary ?? [:]
    calls.withLock {
      $0.append(Call(member: call.member, path: call.path, value: value, options: options))
    }
  }
}

/// A characteristic of a ``Board``.
struct Characteristic: Sendable {
  let path: ObjectPath
  let uuid: String
  let flags: [String]
  /// What a read from an offset is answered.
  var read: @Sendable (Int) -> MethodOutcome = { _ in .reply([.bytes([])]) }
  /// What a write is answered.
  var write: @Sendable ([UInt8]) -> MethodOutcome = { _ in .reply([]) }

  init(
    _ path: StaticString, _ number: String, _ flags: [String],
    read: @escaping @Sendable (Int) -> MethodOutcome = { _ in .reply([.bytes([])]) },
    write: @escaping @Sendable ([UInt8]) -> MethodOutcome = { _ in .reply([]) }
  ) {
    self.path = ObjectPath(literal: path)
    uuid = "0000\(number)-0000-1000-8000-00805f9b34fb"
    self.flags = flags
    self.read = read
    self.write = write
  }
}
