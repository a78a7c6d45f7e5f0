import DBus
import RadioSimulator
import Synchronization
import TestSupport
import Testing

private let reading = Characteristic(
  "/board/service/reading", "ff11", ["read"],
  read: { offset in
    let value = (0..<100).map { UInt8($0) }
    guard offset <= value.count else {
      return .error(BusError(name: "org.bluez.Error.InvalidOffset", message: ""))
    }
    return .reply([.bytes(Array(value[offset...]))])
  })
private let writing = Characteristic("/board/service/writing", "ff01", ["write"])
private let status = Characteristic(
  "/board/service/status", "ff04", ["read", "notify"], read: { _ in .reply([.bytes([7])]) })

private let characteristicInterface = "org.bluez.GattCharacteristic1"

@Suite(.timeLimit(.minutes(1))) struct AttributeTests {
  @Test func aLongValueIsReadInPacketsByOffset() async throws {
    let adapters = [SimulatedAdapter(0, mtu: 23), SimulatedAdapter(1)]
    try await inRoom(adapters: adapters) { _, board, laptop in
      try await board.serve([reading])
      try await board.advertise()
      try await laptop.connect()
      let path = try await laptop.characteristic("ff11")
      #expect(try await laptop.read(path) == (0..<100).map { UInt8($0) })
      let calls = board.calls.withLock { $0 }
      #expect(calls.map { $0.options["offset"]?.asInteger ?? 0 } == [0, 22, 44, 66, 88])
      #expect(calls.allSatisfy { $0.options["mtu"] == .uint16(23) })
      #expect(calls.allSatisfy { $0.options["link"] == .string("LE") })
      let central = try #require(calls.first?.options["device"]?.asObjectPath)
      #expect(central.string == "/org/bluez/hci0/dev_00_AA_01_00_00_01")
      #expect(
        try await laptop.property("Connected", of: "org.bluez.Device1", central) == .boolean(true))
      #expect(
        try await laptop.property("MTU", of: characteristicInterface, path) == .uint16(23))
    }
  }

  @Test func aLongWriteReachesTheApplicationOnce() async throws {
    let adapters = [SimulatedAdapter(0, mtu: 23), SimulatedAdapter(1)]
    try await inRoom(adapters: adapters) { _, board, laptop in
      try await board.serve([writing])
      try await board.advertise()
      try await laptop.connect()
      let path = try await laptop.characteristic("ff01")
      let value = (0..<128).map { UInt8($0) }
      try await laptop.write(path, value)
      #expect(board.calls.withLock { $0.map(\.value) } == [value])
      #expect(board.calls.withLock { $0.first?.options["offset"] } == nil)
      let tooLong = await #expect(throws: BusError.self) {
        try await laptop.write(path, [UInt8](repeating: 0, count: 513))
      }
      #expect(tooLong?.name == "org.bluez.Error.InvalidArguments")
      #expect(tooLong?.message == "Invalid Length")
    }
  }

  @Test(arguments: [
    ("org.bluez.Error.Failed", "0x81", "Failed", "Operation failed with ATT error: 0x81"),
    ("org.bluez.Error.Failed", "144", "Failed", "Operation failed with ATT error: 0x90"),
    ("org.bluez.Error.Failed", "0x20", "Failed", "Operation failed with ATT error: 0x0e"),
    ("org.bluez.Error.Failed", "busy", "Failed", "Operation failed with ATT error: 0x80"),
    ("org.bluez.Error.NotPermitted", "", "NotPermitted", "Write not permitted"),
    ("org.bluez.Error.NotAuthorized", "", "NotAuthorized", "Operation Not Authorized"),
    ("org.bluez.Error.NotSupported", "", "NotSupported", "Operation is not supported"),
    ("org.bluez.Error.InvalidValueLength", "", "InvalidArguments", "Invalid Length"),
    ("org.bluez.Error.InProgress", "", "Failed", "Operation failed with ATT error: 0xfe"),
    ("test.Error.Other", "", "Failed", "Operation failed with ATT error: 0x0e"),
  ])
  func errorsReachTheClientAsBlueZTranslatesThem(
    name: String, message: String, expectedName: String, expectedMessage: String
  ) async throws {
    try await inRoom { _, board, laptop in
      let refusing = Characteristic(
        "/board/service/refusing", "ff03", ["write"],
        write: { _ in .error(BusError(name: name, message: message)) })
      try await board.serve([refusing])
      try await board.advertise()
      try await laptop.connect()
      let path = try await laptop.characteristic("ff03")
      let error = await #expect(throws: BusError.self) { try await laptop.write(path, [1]) }
      #expect(error?.name == "org.bluez.Error." + expectedName)
      #expect(error?.message == expectedMessage)
    }
  }

  @Test func errorsAreLostWhereACommandIsAllowedToo() async throws {
    try await inRoom { _, board, laptop in
      let both = Characteristic(
        "/board/service/both", "ff03", ["write", "write-without-response"],
        write: { _ in .error(BusError(name: "org.bluez.Error.Failed", message: "0x81")) })
      try await board.serve([both])
      try await board.advertise()
      try await laptop.connect()
      try await laptop.write(try await laptop.characteristic("ff03"), [1])
    }
  }

  @Test func whatNeedsPairingIsRefused() async throws {
    try await inRoom { _, board, laptop in
      try await board.serve([
        Characteristic("/board/service/a", "ff01", ["encrypt-write", "encrypt-read"]),
        Characteristic("/board/service/b", "ff02", ["encrypt-notify"]),
      ])
      try await board.advertise()
      try await laptop.connect()
      let first = try await laptop.characteristic("ff01")
      let second = try await laptop.characteristic("ff02")
      let refusal = BusError(name: "org.bluez.Error.NotPermitted", message: "Not paired")
      await #expect(throws: refusal) { try await laptop.write(first, [1]) }
      await #expect(throws: refusal) { try await laptop.read(first) }
      await #expect(throws: refusal) {
        try await laptop.call(second, characteristicInterface, "StartNotify")
      }
      #expect(board.calls.withLock { $0.isEmpty })
    }
  }

  @Test func notificationsAreCutToThePacket() async throws {
    let adapters = [SimulatedAdapter(0), SimulatedAdapter(1, mtu: 23)]
    try await inRoom(adapters: adapters) { _, board, laptop in
      try await board.serve([status])
      try await board.advertise()
      try await laptop.connect()
      let path = try await laptop.characteristic("ff04")
      // Nobody listens yet.
      await board.notify(status.path, [99])
      try await laptop.call(path, characteristicInterface, "StartNotify")
      #expect(board.calls.withLock { $0.map(\.member) } == ["StartNotify"])
      for number in 0..<20 {
        await board.notify(status.path, [UInt8](repeating: UInt8(number), count: 30))
      }
      _ = await laptop.wait(for: "Value", of: path, characteristicInterface) {
        $0 == .bytes([UInt8](repeating: 19, count: 20))
      }
      let values = laptop.signals.filter { $0.path == path }
        .compactMap { $0.arguments.dropFirst().first?.asDictionary?["Value"]?.asBytes }
      #expect(values == (0..<20).map { [UInt8](repeating: UInt8($0), count: 20) })
      try await laptop.call(path, characteristicInterface, "StopNotify")
      #expect(
        try await laptop.property("Notifying", of: characteristicInterface, path)
          == .boolean(false))
    }
  }

  @Test func aWriteAndWhatItCausesKeepTheirOrder() async throws {
    try await inRoom { _, board, laptop in
      let control = Characteristic(
        "/board/service/control", "ff03", ["write"],
        write: { value in
          Task { await board.notify(status.path, value) }
          return .reply([])
        })
      try await board.serve([control, status])
      try await board.advertise()
      try await laptop.connect()
      let path = try await laptop.characteristic("ff03")
      let statusPath = try await laptop.characteristic("ff04")
      try await laptop.call(statusPath, characteristicInterface, "StartNotify")
      for number in 1...20 {
        try await laptop.write(path, [UInt8(number)])
        _ = await laptop.wait(for: "Value", of: statusPath, characteristicInterface) {
          $0 == .bytes([UInt8(number)])
        }
      }
    }
  }

  @Test func anApplicationThatSaysNothingIsAnUnlikelyError() async throws {
    var timing = RadioTiming.quick
    timing.attributeTimeout = .milliseconds(20)
    try await inRoom(timing: timing) { _, board, laptop in
      try await board.serve([
        Characteristic("/board/service/silent", "ff01", ["read"], read: { _ in .later })
      ])
      try await board.advertise()
      try await laptop.connect()
      let path = try await laptop.characteristic("ff01")
      let error = await #expect(throws: BusError.self) { try await laptop.read(path) }
      #expect(error?.message == "Operation failed with ATT error: 0x0e")
    }
  }

  @Test func aLostLinkLooksLikeSuccessAndThenLikeNoConnection() async throws {
    try await inRoom { bluez, board, laptop in
      let silent = Characteristic(
        "/board/service/silent", "ff01", ["write"],
        write: { _ in
          Task { await bluez.dropLinks(of: 1) }
          return .later
        })
      try await board.serve([silent, status])
      try await board.advertise()
      try await laptop.connect()
      let path = try await laptop.characteristic("ff01")
      let statusPath = try await laptop.characteristic("ff04")
      try await laptop.call(statusPath, characteristicInterface, "StartNotify")
      laptop.forget()
      try await laptop.write(path, [1])
      _ = await laptop.wait(for: "Connected", of: Laptop.device, "org.bluez.Device1") {
        $0.asBool == false
      }
      let central = ObjectPath(literal: "/org/bluez/hci0/dev_00_AA_01_00_00_01")
      _ = await laptop.wait(for: "Connected", of: central, "org.bluez.Device1") {
        $0.asBool == false
      }
      let error = await #expect(throws: BusError.self) { try await laptop.write(path, [1]) }
      #expect(error == BusError(name: "org.bluez.Error.Failed", message: "Not connected"))
      // The objects outlive the link, and so does the wish to be notified.
      laptop.forget()
      try await laptop.call(Laptop.device, "org.bluez.Device1", "Connect")
      _ = await laptop.wait(for: "ServicesResolved", of: Laptop.device, "org.bluez.Device1") {
        $0.asBool == true
      }
      #expect(try await laptop.characteristic("ff04") == statusPath)
      await board.notify(status.path, [42])
      _ = await laptop.wait(for: "Value", of: statusPath, characteristicInterface) {
        $0 == .bytes([42])
      }
    }
  }

  @Test func objectsFollowTheApplicationsThatComeAndGo() async throws {
    try await inRoom { _, board, laptop in
      try await board.serve([status])
      try await board.advertise()
      try await laptop.connect()
      let path = try await laptop.characteristic("ff04")
      try await board.unregisterApplication()
      _ = await laptop.wait { message in
        message.member == "InterfacesRemoved" && message.arguments.first == .objectPath(path)
          ? true : nil
      }
      laptop.forget()
      try await board.registerApplication()
      // Not for the device's UUIDs: those of its advertisement stand there all the time.
      let new = await laptop.wait { message -> ObjectPath? in
        guard message.member == "InterfacesAdded", message.arguments.count == 2,
          let added = message.arguments[1].asDictionary?["org.bluez.GattCharacteristic1"],
          added.asDictionary?["UUID"]?.asString?.hasPrefix("0000ff04") == true
        else { return nil }
        return message.arguments[0].asObjectPath
      }
      #expect(new != path)
      #expect(try await laptop.read(new) == [7])
    }
  }

  @Test func oneProgramsEndIsNoticed() async throws {
    try await inRoom { _, board, laptop in
      try await board.serve([status])
      try await board.advertise()
      try await laptop.connect()
      let path = try await laptop.characteristic("ff04")
      await board.bus.close()
      _ = await laptop.wait { message in
        message.member == "InterfacesRemoved" && message.arguments.first == .objectPath(path)
          ? true : nil
      }
      #expect(
        try await laptop.property(
          "ActiveInstances", of: "org.bluez.LEAdvertisingManager1",
          ObjectPath(literal: "/org/bluez/hci0")) == .byte(0))
    }
  }
}
