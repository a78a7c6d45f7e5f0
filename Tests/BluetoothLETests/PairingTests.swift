import BluetoothLE
import DBus
import MainLoop
import RadioSimulator
import Testing

private let service = BluetoothUUID(UInt16(0xFF00))
private let control = BluetoothUUID(UInt16(0xFF03))
private let status = BluetoothUUID(UInt16(0xFF04))

/// One characteristic that may be written over a paired link, and one that anybody may read.
private func services(_ permissions: AttributePermissions) -> [LocalService] {
  [
    LocalService(
      service,
      characteristics: [
        LocalCharacteristic(
          control, properties: .write, permissions: permissions,
          write: { _ throws(ATTError) in }),
        LocalCharacteristic(status, properties: [.read, .notify], value: .fixed([1])),
      ])
  ]
}

/// A board that pairs in its own way, and a laptop with a link to it.
private struct Pair: Sendable {
  let room: Room
  let manager: PeripheralManager
  let log: PeripheralLog
  let central: CentralManager
  let board: BluetoothAddress

  init(_ room: Room, _ method: PairingMethod?, _ permissions: AttributePermissions) async throws {
    self.room = room
    manager = try await room.peripheral(pairing: method)
    log = PeripheralLog()
    await log.follow(manager)
    try await manager.publish(services(permissions))
    try await manager.startAdvertising(Board.advertisement)
    await log.advertising()
    central = try await room.central()
    try await central.waitUntilPoweredOn(timeout: .seconds(5))
    board = try #require(boardAddress)
    for try await _ in try await central.scan(for: [service]) { break }
    if method != nil { try await room.pairable() }
    try await central.connect(board)
  }

  func write() async throws {
    let services = try await central.discoverServices(of: board)
    try await central.writeValue([1], to: services.get(control))
  }

  func end() async {
    await central.close()
    await manager.stop()
  }
}

extension Room {
  fileprivate func isPairable() async throws -> Bool {
    try await connection().property(
      "Pairable", of: "org.bluez.Adapter1", "org.bluez", ObjectPath(literal: "/org/bluez/hci0")
    )
    .asBool == true
  }

  /// Waits until bluetoothd has somebody to ask.
  fileprivate func pairable() async throws { try await until { try await isPairable() } }

  fileprivate func isPaired() async throws -> Bool {
    try await connection().property(
      "Paired", of: "org.bluez.Device1", "org.bluez",
      ObjectPath(literal: "/org/bluez/hci0/dev_00_AA_01_00_00_01")
    ).asBool == true
  }
}

extension [RemoteService] {
  fileprivate func get(_ uuid: BluetoothUUID) throws -> RemoteCharacteristic {
    try #require(flatMap(\.characteristics).first { $0.uuid == uuid })
  }
}

@Suite(.timeLimit(.minutes(1))) struct PairingTests {
  @Test(
    arguments: [.writeEncryptionRequired, .writeAuthenticationRequired] as [AttributePermissions])
  func withoutPairingNothingIsWritten(permissions: AttributePermissions) async throws {
    try await inRoom { room in
      let pair = try await Pair(room, nil, permissions)
      let error = await #expect(throws: BluetoothError.self) { try await pair.write() }
      #expect(error?.code == .pairingRequired)
      // What has no permissions is for everybody.
      let services = try await pair.central.discoverServices(of: pair.board)
      #expect(try await pair.central.readValue(of: services.get(status)) == [1])
      _ = try await pair.central.subscribe(to: services.get(status))
      await pair.end()
    }
  }

  @Test func justWorksEncryptsThisLinkAndLaterOnes() async throws {
    try await inRoom { room in
      let pair = try await Pair(room, .justWorks, .writeEncryptionRequired)
      try await pair.central.pair(pair.board)
      try await pair.write()
      #expect(try await room.isPaired())
      // Done already.
      try await pair.central.pair(pair.board)
      await pair.central.disconnect(pair.board)
      try await pair.central.connect(pair.board)
      try await pair.write()
      await pair.end()
      // The bond outlives both.
      #expect(try await room.isPaired())
      #expect(try await !room.isPairable())
    }
  }

  @Test func thePasskeyKeepsOutWhoDoesNotSeeIt() async throws {
    try await inRoom { room in
      let pair = try await Pair(room, .passkey, .writeAuthenticationRequired)
      try await pair.central.pair(pair.board) { await pair.log.passkey() }
      try await pair.write()
      await pair.end()
    }
  }

  @Test(
    arguments: [
      (true, .pairingFailed), (false, .passkeyRequired),
    ] as [(Bool, BluetoothError.Code)])
  func aPasskeyThatIsWrongOrNotTypedIsRefused(
    isTyped: Bool, code: BluetoothError.Code
  ) async throws {
    try await inRoom { room in
      let pair = try await Pair(room, .passkey, .writeAuthenticationRequired)
      let error = await #expect(throws: BluetoothError.self) {
        try await pair.central.pair(pair.board) {
          let passkey = await pair.log.passkey()
          return isTyped
            ? passkey.flatMap { Passkey(rawValue: ($0.rawValue + 1) % 1_000_000) } : nil
        }
      }
      #expect(error?.code == code)
      #expect(try await !room.isPaired())
      await pair.end()
    }
  }

  @Test func whoCannotAskForAPasskeyIsToldSo() async throws {
    try await inRoom { room in
      let pair = try await Pair(room, .passkey, .writeAuthenticationRequired)
      let error = await #expect(throws: BluetoothError.self) {
        try await pair.central.pair(pair.board)
      }
      #expect(error?.code == .passkeyRequired)
      await pair.end()
    }
  }

  @Test func aPersonWhoTypesTooLongIsNotWaitedFor() async throws {
    try await inRoom { room in
      let pair = try await Pair(room, .passkey, .writeAuthenticationRequired)
      let error = await #expect(throws: BluetoothError.self) {
        try await pair.central.pair(pair.board, timeout: .milliseconds(50)) {
          _ = await pair.log.passkey()
          // Until it is cancelled.
          try? await room.loop.sleep(for: .seconds(60))
          return nil
        }
      }
      #expect(error?.code == .timedOut)
      // The next one may begin.
      try await pair.central.pair(pair.board) { await pair.log.passkey() }
      await pair.end()
    }
  }

  @Test func theAgentComesBackAfterTheServiceRestarts() async throws {
    try await inRoom { room in
      let pair = try await Pair(room, .justWorks, .writeEncryptionRequired)
      await room.bluez.stop()
      _ = await pair.log.status { !$0.isAdvertising }
      try await room.bluez.start()
      await pair.log.advertising()
      try await room.pairable()
      try await pair.central.waitUntilPoweredOn(timeout: .seconds(5))
      for try await _ in try await pair.central.scan(for: [service]) { break }
      try await pair.central.connect(pair.board)
      try await pair.central.pair(pair.board)
      try await pair.write()
      await pair.end()
    }
  }

  @Test func aRefusedAgentIsToldAndTriedAgain() async throws {
    try await inRoom { room in
      await room.bluez.refuseNext(.agent)
      let manager = try await room.peripheral(pairing: .justWorks)
      let log = PeripheralLog()
      await log.follow(manager)
      try await manager.publish(services(.writeEncryptionRequired))
      try await manager.startAdvertising(Board.advertisement)
      let refused = await log.status { $0.isAdvertising && $0.problem != nil }
      #expect(refused?.problem?.message.contains("nobody can pair") == true)
      _ = await log.status { $0.isAdvertising && $0.problem == nil }
      #expect(try await room.isPairable())
      await manager.stop()
    }
  }

  @Test func aBondThatOneSideHasForgottenIsInTheWay() async throws {
    try await inRoom { room in
      let pair = try await Pair(room, .justWorks, .writeEncryptionRequired)
      try await pair.central.pair(pair.board)
      await pair.central.remove(pair.board)
      for try await _ in try await pair.central.scan(for: [service]) { break }
      try await pair.central.connect(pair.board)
      let error = await #expect(throws: BluetoothError.self) {
        try await pair.central.pair(pair.board)
      }
      #expect(error?.code == .pairingFailed)
      await pair.end()
    }
  }

  @Test func aDefaultAgentOfAnotherProgramIsReplacedMeanwhile() async throws {
    try await inRoom { room in
      let other = try await room.connection()
      let path = ObjectPath(literal: "/other")
      _ = try await other.call(
        "org.bluez", ObjectPath(literal: "/org/bluez"), "org.bluez.AgentManager1", "RegisterAgent",
        [.objectPath(path), .string("DisplayYesNo")])
      let pair = try await Pair(room, .justWorks, .writeEncryptionRequired)
      try await pair.central.pair(pair.board)
      await pair.end()
      // It is asked again.
      #expect(try await room.isPairable())
    }
  }

  @Test func onlyBluetoothdIsAnsweredAndOnlyAboutItsOwnAdapter() async throws {
    try await inRoom { room in
      let connection = try await room.connection()
      let manager = PeripheralManager(
        connection: connection, adapter: .named("hci0"), pairing: .justWorks)
      let log = PeripheralLog()
      await log.follow(manager)
      try await manager.publish(services(.writeEncryptionRequired))
      try await manager.startAdvertising(Board.advertisement)
      await log.advertising()
      let stranger = try await room.connection()
      let name = await connection.uniqueName
      let reply = try await stranger.call(
        name, ObjectPath(literal: "/BluetoothLE"), "org.freedesktop.DBus.Introspectable",
        "Introspect")
      let agent = (reply.first?.asString ?? "").split(separator: "\"").first {
        $0.hasPrefix("agent")
      }
      let path = try #require(ObjectPath("/BluetoothLE/" + (agent ?? "")))
      let error = await #expect(throws: BusError.self) {
        try await stranger.call(
          name, path, "org.bluez.Agent1", "RequestAuthorization",
          [.objectPath(ObjectPath(literal: "/org/bluez/hci0/dev_00_AA_01_00_00_01"))])
      }
      #expect(error?.name == "org.bluez.Error.Rejected")
      await manager.stop()
      #expect(try await !room.isPairable())
    }
  }
}
