import DBus
import RadioSimulator
import TestSupport
import Testing

private let board = ObjectPath(literal: "/org/bluez/hci0")

/// A change to an application that is right, and what BlueZ says to it.
private struct Defect: Sendable, CustomTestStringConvertible {
  let name: String
  let objects: [(ObjectPath, String, [String: Value])]
  let message: String?

  var testDescription: String { name }

  init(
    _ name: String, service: [String: Value?] = [:], characteristic: [String: Value?] = [:],
    descriptor: [String: Value?] = [:], message: String?
  ) {
    self.name = name
    self.message = message
    let parts: [(StaticString, String, [String: Value], [String: Value?])] = [
      (
        "/board/service", "org.bluez.GattService1",
        ["UUID": .string(Board.uuid), "Primary": .boolean(true)], service
      ),
      (
        "/board/service/status", "org.bluez.GattCharacteristic1",
        [
          "UUID": .string("ff04"), "Service": .objectPath(Board.service),
          "Flags": .strings(["read"]),
        ], characteristic
      ),
      (
        "/board/service/status/text", "org.bluez.GattDescriptor1",
        [
          "UUID": .string("2901"), "Flags": .strings(["read"]),
          "Characteristic": .objectPath(ObjectPath(literal: "/board/service/status")),
        ], descriptor
      ),
    ]
    objects = parts.map { path, interface, properties, changes in
      let changed = changes.reduce(into: properties) { $0[$1.key] = $1.value }
      return (ObjectPath(literal: path), interface, changed)
    }
  }

  static let noService = "No valid service object found"
  static let noEntry = "Failed to create entry in database"

  static let all = [
    Defect("none", message: nil),
    Defect("unknown flag", characteristic: ["Flags": .strings(["raed"])], message: noService),
    Defect("no flags", characteristic: ["Flags": .strings([])], message: noService),
    Defect("flags missing", characteristic: ["Flags": nil], message: noService),
    Defect("flags of another type", characteristic: ["Flags": .string("read")], message: noService),
    Defect(
      "dangling service", characteristic: ["Service": .objectPath(ObjectPath(literal: "/other"))],
      message: noService),
    Defect(
      "service as a string", characteristic: ["Service": .string("/board/service")],
      message: noService),
    Defect(
      "a flag that descriptors do not have", descriptor: ["Flags": .strings(["notify"])],
      message: noService),
    Defect("no UUID", service: ["UUID": .string("x")], message: noEntry),
    Defect("UUID as bytes", service: ["UUID": .bytes([0xff, 0])], message: noEntry),
    Defect("Generic Access", service: ["UUID": .string("1800")], message: noEntry),
    Defect("Primary missing", service: ["Primary": nil], message: noEntry),
    Defect("Primary as a number", service: ["Primary": .byte(1)], message: noEntry),
    Defect("Includes of strings", service: ["Includes": .strings(["/x"])], message: noEntry),
    Defect("Handle of another type", characteristic: ["Handle": .int32(0)], message: noEntry),
  ]
}

@Suite(.timeLimit(.minutes(1))) struct RegistrationTests {
  @Test(arguments: Defect.all)
  private func applicationsAreCheckedAsByBlueZ(defect: Defect) async throws {
    try await inRoom { _, program, _ in
      await program.bus.exportObjectManager(at: Board.root)
      for (path, interface, properties) in defect.objects {
        await program.bus.export(
          path, [Interface(interface, properties: properties.map { Property($0.key, $0.value) })])
      }
      do {
        try await program.registerApplication()
        #expect(defect.message == nil)
      } catch {
        #expect(
          error as? BusError
            == BusError(name: "org.bluez.Error.Failed", message: defect.message ?? ""))
      }
    }
  }

  @Test func anApplicationNeedsAnObjectManagerAtItsPath() async throws {
    try await inRoom { _, program, _ in
      await #expect(
        throws: BusError(name: "org.bluez.Error.Failed", message: "No object received")
      ) { try await program.registerApplication() }
    }
  }

  @Test func anApplicationIsRegisteredOnce() async throws {
    try await inRoom { bluez, program, _ in
      await bluez.refuseNext(.application)
      await #expect(throws: BusError(name: "org.bluez.Error.Failed", message: Defect.noEntry)) {
        try await program.serve([])
      }
      try await program.registerApplication()
      let again = await #expect(throws: BusError.self) { try await program.registerApplication() }
      #expect(again?.name == "org.bluez.Error.AlreadyExists")
      try await program.unregisterApplication()
      let gone = await #expect(throws: BusError.self) { try await program.unregisterApplication() }
      #expect(gone?.name == "org.bluez.Error.DoesNotExist")
    }
  }

  @Test(
    arguments: [
      ([:], true),
      (["ServiceData": .properties([Board.uuid: .bytes([UInt8](repeating: 0, count: 20))])], true),
      (["ServiceData": .properties([Board.uuid: .bytes([UInt8](repeating: 0, count: 21))])], false),
      (["ServiceUUIDs": .strings(["12345678-1234-1234-1234-123456789abc"])], true),
      (["ServiceUUIDs": .strings(["nonsense"])], false),
      (["ServiceUUIDs": .string("ff00")], false),
      (["Type": .string("other")], false),
      (["Type": .string("broadcast")], false),
      (["Type": .string("broadcast"), "Discoverable": .boolean(false)], true),
      (["Includes": .strings(["local-name"])], false),
      (["Includes": .strings(["nonsense"])], true),
      (["LocalName": .string(String(repeating: "x", count: 100))], true),
      (["Data": .dictionary(key: .byte, value: .variant, [])], true),
      (
        [
          "Data": .dictionary(
            key: .byte, value: .variant, [.init(.byte(0x01), .variant(.bytes([6])))])
        ], false
      ),
      (["SecondaryChannel": .string("Coded")], false),
    ] as [([String: Value], Bool)]
  )
  func advertisementsAreCheckedAsByBlueZ(changes: [String: Value], isRight: Bool) async throws {
    try await inRoom { bluez, program, _ in
      let properties = Board.advertisementProperties.merging(changes) { $1 }
      do {
        try await program.advertise(properties)
        #expect(isRight)
        #expect(await bluez.advertisementCount(of: 0) == 1)
      } catch {
        #expect(!isRight)
        #expect(
          error as? BusError
            == BusError(
              name: "org.bluez.Error.Failed", message: "Failed to parse advertisement."))
        #expect(await bluez.advertisementCount(of: 0) == 0)
      }
    }
  }

  @Test func fiveAdvertisementsFit() async throws {
    try await inRoom { bluez, program, laptop in
      let manager = "org.bluez.LEAdvertisingManager1"
      for number in 0..<6 {
        let path = try #require(ObjectPath("/board/advertisement\(number)"))
        await program.bus.export(
          path,
          [
            Interface(
              "org.bluez.LEAdvertisement1", properties: [Property("Type", .string("peripheral"))])
          ])
        let register = {
          _ = try await program.bus.call(
            "org.bluez", board, manager, "RegisterAdvertisement",
            [.objectPath(path), .properties([:])])
        }
        if number < 5 {
          try await register()
        } else {
          let error = await #expect(throws: BusError.self) { try await register() }
          #expect(
            error
              == BusError(
                name: "org.bluez.Error.NotPermitted", message: "Maximum advertisements reached"))
        }
      }
      #expect(try await laptop.property("SupportedInstances", of: manager, board) == .byte(0))
      #expect(try await laptop.property("ActiveInstances", of: manager, board) == .byte(5))
    }
  }

  @Test func anAdvertisementIsRefusedOnDemandAndForgottenWithThePower() async throws {
    try await inRoom { bluez, program, laptop in
      await bluez.refuseNext(.advertisement)
      await #expect(
        throws: BusError(
          name: "org.bluez.Error.Failed", message: "Failed to register advertisement")
      ) { try await program.advertise() }
      try await program.advertise()
      await bluez.setPowered(false, adapter: 0)
      await bluez.setPowered(true, adapter: 0)
      #expect(await bluez.advertisementCount(of: 0) == 0)
      #expect(
        try await laptop.property("ActiveInstances", of: "org.bluez.LEAdvertisingManager1", board)
          == .byte(1))
    }
  }
}
