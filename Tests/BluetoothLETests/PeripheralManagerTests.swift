import BluetoothLE
import DBus
import MainLoop
import RadioSimulator
import Testing

@Suite(.timeLimit(.minutes(1))) struct PeripheralManagerTests {
  @Test func itPublishesAndAdvertises() async throws {
    try await inRoom { room in
      let (manager, _) = try await begin(room)
      #expect(await room.bluez.advertisementCount(of: 0) == 1)
      await manager.stop()
      #expect(await room.bluez.advertisementCount(of: 0) == 0)
    }
  }

  @Test func itSwitchesTheAdapterOn() async throws {
    try await inRoom([SimulatedAdapter(0, isPowered: false)]) { room in
      let (manager, _) = try await begin(room)
      #expect(await manager.status.state == .poweredOn)
    }
  }

  @Test func itWaitsForAnAdapterThatOthersSwitchOn() async throws {
    try await inRoom([SimulatedAdapter(0, isPowered: false)]) { room in
      let manager = try await room.peripheral(powersOn: false)
      let log = PeripheralLog()
      await log.follow(manager)
      try await manager.publish(Board().services)
      try await manager.startAdvertising(Board.advertisement)
      let off = await log.status { $0.isPublished }
      #expect(off?.state == .poweredOff)
      #expect(off?.problem?.code == .poweredOff)
      await room.bluez.setPowered(true, adapter: 0)
      await log.advertising()
    }
  }

  @Test func aBlockedAdapterIsToldAndTriedAgain() async throws {
    try await inRoom { room in
      await room.bluez.setBlocked(true, adapter: 0)
      let manager = try await room.peripheral()
      let log = PeripheralLog()
      await log.follow(manager)
      try await manager.publish(Board().services)
      try await manager.startAdvertising(Board.advertisement)
      let status = await log.status { $0.problem?.code == .blocked }
      #expect(status?.state == .poweredOff)
      await room.bluez.setBlocked(false, adapter: 0)
      await log.advertising()
      await manager.stop()
    }
  }

  @Test func itComesBackAfterTheServiceRestarts() async throws {
    try await inRoom { room in
      let (manager, log) = try await begin(room)
      await room.bluez.stop()
      let gone = await log.status { !$0.isAdvertising }
      #expect(gone?.state == .resetting)
      #expect(gone?.problem?.code == .serviceNotRunning)
      #expect(gone?.isPublished == false)
      try await room.bluez.start()
      await log.advertising()
      #expect(await room.bluez.advertisementCount(of: 0) == 1)
      await manager.stop()
    }
  }

  @Test func itStartsBeforeTheService() async throws {
    try await inRoom(started: false) { room in
      let manager = try await room.peripheral()
      let log = PeripheralLog()
      await log.follow(manager)
      try await manager.publish(Board().services)
      try await manager.startAdvertising(Board.advertisement)
      let absent = await log.status { $0.state == .resetting }
      #expect(absent?.problem?.code == .serviceNotRunning)
      try await room.bluez.start()
      await log.advertising()
      await manager.stop()
    }
  }

  @Test func itFollowsTheAdapter() async throws {
    try await inRoom { room in
      let (manager, log) = try await begin(room)
      await room.bluez.removeAdapter(0)
      let gone = await log.status { !$0.isAdvertising && $0.problem?.code == .noAdapter }
      #expect(gone?.state == .unsupported)
      await room.bluez.addAdapter(SimulatedAdapter(0))
      await log.advertising()
      await room.bluez.setPowered(false, adapter: 0)
      _ = await log.status { $0.state == .poweredOff && !$0.isAdvertising }
      await room.bluez.setPowered(true, adapter: 0)
      await log.advertising()
      #expect(await room.bluez.advertisementCount(of: 0) == 1)
      await manager.stop()
    }
  }

  /// bluetoothd withdraws and announces its adapters one by one when it restarts.
  @Test func anotherAdapterIsTakenOnlyWhenTheUsedOneStaysAway() async throws {
    try await inRoom([SimulatedAdapter(0), SimulatedAdapter(1, isPowered: false)]) { room in
      let manager = try await room.peripheral(.any)
      let log = PeripheralLog()
      await log.follow(manager)
      try await manager.publish(Board().services)
      try await manager.startAdvertising(Board.advertisement)
      await log.advertising()
      let other = try await room.central(.named("hci1"))
      await room.bluez.removeAdapter(0)
      _ = await log.status { $0.problem?.code == .noAdapter }
      await room.bluez.addAdapter(SimulatedAdapter(0))
      await log.advertising()
      #expect(await room.bluez.advertisementCount(of: 0) == 1)
      for await state in await other.states() where state != .unknown {
        #expect(state == .poweredOff)
        break
      }
      await room.bluez.removeAdapter(0)
      _ = await log.status { $0.problem?.code == .noAdapter }
      await log.advertising()
      #expect(await room.bluez.advertisementCount(of: 1) == 1)
      await manager.stop()
    }
  }

  @Test func anAdapterWithoutLowEnergyIsToldAndAnotherIsTaken() async throws {
    try await inRoom([SimulatedAdapter(0, hasLowEnergy: false)]) { room in
      let manager = try await room.peripheral(.any)
      let log = PeripheralLog()
      await log.follow(manager)
      try await manager.publish(Board().services)
      try await manager.startAdvertising(Board.advertisement)
      let unable = await log.status { $0.problem?.code == .unsupported }
      #expect(unable?.state == .unsupported)
      await room.bluez.addAdapter(SimulatedAdapter(1))
      await log.advertising()
      #expect(await room.bluez.advertisementCount(of: 1) == 1)
      await manager.stop()
    }
  }

  @Test func aRefusedAdvertisementIsToldAndTriedAgain() async throws {
    try await inRoom { room in
      await room.bluez.refuseNext(.advertisement)
      let manager = try await room.peripheral()
      let log = PeripheralLog()
      await log.follow(manager)
      try await manager.publish(Board().services)
      try await manager.startAdvertising(Board.advertisement)
      let refused = await log.status { $0.problem != nil && $0.state == .poweredOn }
      #expect(refused?.problem?.code == .advertisingRefused)
      #expect(refused?.problem?.cause?.name == "org.bluez.Error.Failed")
      await log.advertising()
      await manager.stop()
    }
  }

  @Test func aRefusedTableIsToldAndTriedAgain() async throws {
    try await inRoom { room in
      await room.bluez.refuseNext(.application)
      let manager = try await room.peripheral()
      let log = PeripheralLog()
      await log.follow(manager)
      try await manager.publish(Board().services)
      let refused = await log.status { $0.problem?.code == .publishingRefused }
      #expect(refused?.isPublished == false)
      _ = await log.status { $0.isPublished && $0.problem == nil }
      await manager.stop()
    }
  }

  @Test func anAdvertisementIsReplacedWithoutAGap() async throws {
    try await inRoom { room in
      let (manager, log) = try await begin(room)
      let central = try await room.central()
      try await central.waitUntilPoweredOn(timeout: .seconds(5))
      let scan = try await central.scan(for: [Board.service])
      var next = Board.advertisement
      next.serviceData[Board.service] = [0x57, 0x50, 1, 1]
      try await manager.startAdvertising(next)
      for try await discovery in scan
      where discovery.advertisement.serviceData[Board.service] == [0x57, 0x50, 1, 1] { break }
      await log.advertising()
      // The old one goes once the new one is there.
      try await room.until { await room.bluez.advertisementCount(of: 0) == 1 }
      await manager.stopAdvertising()
      _ = await log.status { !$0.isAdvertising }
      #expect(await room.bluez.advertisementCount(of: 0) == 0)
      await central.close()
      await manager.stop()
    }
  }

  @Test func onlyBluetoothdMayCall() async throws {
    try await inRoom { room in
      let connection = try await room.connection()
      let manager = PeripheralManager(connection: connection, adapter: .named("hci0"))
      let log = PeripheralLog()
      await log.follow(manager)
      let board = Board()
      try await manager.publish(board.services)
      try await manager.startAdvertising(Board.advertisement)
      await log.advertising()
      let stranger = try await room.connection()
      let name = await connection.uniqueName
      let root = try await applicationRoot(of: name, seenBy: stranger)
      let path = try #require(ObjectPath(root + "/service0/characteristic0"))
      let error = await #expect(throws: BusError.self) {
        try await stranger.call(
          name, path, "org.bluez.GattCharacteristic1", "WriteValue",
          [.bytes([1]), .properties([:])])
      }
      #expect(error?.name == BusError.Name.accessDenied)
      #expect(board.writes.isEmpty)
      await manager.stop()
    }
  }

  @Test func nothingStaysExportedThatIsNotUsed() async throws {
    try await inRoom { room in
      let connection = try await room.connection()
      let manager = PeripheralManager(connection: connection, adapter: .named("hci0"))
      let log = PeripheralLog()
      await log.follow(manager)
      try await manager.publish(Board().services)
      try await manager.startAdvertising(Board.advertisement)
      await log.advertising()
      for state in 1...5 as ClosedRange<UInt8> {
        var next = Board.advertisement
        next.serviceData[Board.service] = [0x57, 0x50, 1, state]
        try await manager.startAdvertising(next)
        await log.advertising()
      }
      let stranger = try await room.connection()
      let name = await connection.uniqueName
      // The table and the last advertisement, once bluetoothd has let go of the one before.
      try await room.until { try await children(of: name, seenBy: stranger).count == 2 }
      await manager.stop()
      #expect(try await children(of: name, seenBy: stranger).isEmpty)
    }
  }

  @Test func whatDoesNotFitIsRefusedAtOnce() async throws {
    try await inRoom(started: false) { room in
      let manager = try await room.peripheral()
      await #expect(throws: BluetoothError.self) {
        try await manager.startAdvertising(
          AdvertisementData(serviceData: [Board.service: Array(repeating: 0, count: 25)]))
      }
      try await manager.publish(Board().services)
      let long = await #expect(throws: BluetoothError.self) {
        try await manager.updateValue(
          Array(repeating: 0, count: 21), for: Board.status, of: Board.service)
      }
      #expect(long?.code == .valueTooLong(maximum: 20))
      let silent = await #expect(throws: BluetoothError.self) {
        try await manager.updateValue([1], for: Board.control, of: Board.service)
      }
      #expect(silent?.code == .invalidArguments)
    }
  }

  /// A scan has bluetoothd announce and change devices many times a second.
  @Test func anotherProgramsScanIsNotHeard() async throws {
    try await inRoom { room in
      let connection = try await room.connection()
      let manager = PeripheralManager(connection: connection, adapter: .named("hci0"))
      let log = PeripheralLog()
      await log.follow(manager)
      try await manager.publish(Board().services)
      try await manager.startAdvertising(Board.advertisement)
      await log.advertising()
      let scanner = try await room.central(.named("hci0"))
      try await scanner.waitUntilPoweredOn(timeout: .seconds(5))
      let scan = try await scanner.scan()
      let name = await connection.uniqueName
      let observer = try await room.connection()
      func wideRules() async throws -> [String] {
        let reply = try await observer.call(
          "org.freedesktop.DBus", ObjectPath(literal: "/org/freedesktop/DBus"),
          "org.freedesktop.DBus.Debug.Stats", "GetAllMatchRules")
        let rules = reply.first?.asDictionary?[name]?.asStrings ?? []
        #expect(!rules.isEmpty)
        // Adapters change seldom, and one object's announcement is rare.
        return rules.filter { rule in
          !["arg0='org.bluez.Adapter1'", "arg0path='/org/bluez/hci0'", "NameOwnerChanged"]
            .contains { rule.contains($0) }
        }
      }
      try await room.until { try await wideRules().isEmpty }
      withExtendedLifetime(scan) {}
      await scanner.close()
      await manager.stop()
    }
  }

  private func begin(_ room: Room) async throws -> (PeripheralManager, PeripheralLog) {
    let manager = try await room.peripheral()
    let log = PeripheralLog()
    await log.follow(manager)
    try await manager.publish(Board().services)
    try await manager.startAdvertising(Board.advertisement)
    await log.advertising()
    return (manager, log)
  }

  private func children(of name: String, seenBy stranger: Connection) async throws -> [String] {
    guard let path = ObjectPath("/BluetoothLE") else { return [] }
    do {
      let reply = try await stranger.call(
        name, path, "org.freedesktop.DBus.Introspectable", "Introspect")
      return (reply.first?.asString ?? "").split(separator: "\n").compactMap { line in
        let parts = line.split(separator: "\"")
        return parts.count > 1 && line.contains("<node name=") ? String(parts[1]) : nil
      }
    } catch {
      return []
    }
  }

  private func applicationRoot(of name: String, seenBy stranger: Connection) async throws
    -> String
  {
    let child = try await children(of: name, seenBy: stranger)
      .first { $0.hasPrefix("application") }
    return "/BluetoothLE/" + (child ?? "")
  }
}
