import BluetoothLE
import DBus
import MainLoop
import RadioSimulator
import Testing

@Suite(.timeLimit(.minutes(1))) struct CentralManagerTests {
  @Test func itFindsConnectsReadsWritesAndListens() async throws {
    try await withBoard { room, board, manager, log in
      let central = try await room.central()
      try await central.waitUntilPoweredOn(timeout: .seconds(5))
      let discovery = try await find(central)
      #expect(discovery.address == boardAddress)
      #expect(discovery.advertisement.localName == "board")
      #expect(discovery.advertisement.serviceData[Board.service] == [0x57, 0x50, 1, 0])
      #expect(discovery.rssi != nil)
      try await central.connect(discovery.address)
      let services = try await central.discoverServices(of: discovery.address)
      let control = try #require(services.find(Board.control))
      #expect(control.properties == .write)

      #expect(try await central.readValue(of: services.get(Board.information)) == Board.longValue)
      // 517, as the handler heard it, modulo 256.
      #expect(try await central.readValue(of: services.get(Board.status)) == [5])
      try await central.writeValue([1, 2, 3], to: control)
      let long = Array(repeating: UInt8(7), count: 400)
      try await central.writeValue(long, to: control)
      #expect(board.writes.map(\.value) == [[1, 2, 3], long])
      #expect(board.writes.first?.mtu == 517)
      #expect(board.writes.first?.central?.address?.description == "00:AA:01:00:00:01")

      let values = try await central.subscribe(to: services.get(Board.status))
      #expect(await log.subscription() == true)
      for value in 1...3 as ClosedRange<UInt8> {
        try await manager.updateValue([value], for: Board.status, of: Board.service)
      }
      var received: [[UInt8]] = []
      for try await value in values {
        received.append(value)
        if received.count == 3 { break }
      }
      #expect(received == [[1], [2], [3]])
      await central.disconnect(discovery.address)
      #expect(await log.disconnected() == board.writes.first?.central)
      await central.close()
    }
  }

  @Test(arguments: [0x80, 0x86, 0x9F, 0x06, 0x07, 0x08, 0x0D] as [UInt8])
  func refusalsArriveAsTheyWereMeant(code: UInt8) async throws {
    try await withBoard { room, _, _, _ in
      let (central, services) = try await connected(room)
      let error = await #expect(throws: BluetoothError.self) {
        try await central.writeValue([0xEE, code], to: services.get(Board.control))
      }
      #expect(error?.code == .attribute(ATTError(rawValue: code)))
      await central.close()
    }
  }

  @Test func theSmallestMTUHolds() async throws {
    try await withBoard { room, board, manager, _ in
      await room.bluez.setMTU(23, adapter: 2)
      let (large, services) = try await connected(room)
      try await large.writeValue([1], to: services.get(Board.control))
      #expect(await manager.maximumUpdateValueLength == 512)
      let (small, same) = try await connected(room, .named("hci2"))
      // 500 bytes in 23 parts.
      #expect(try await small.readValue(of: same.get(Board.information)) == Board.longValue)
      #expect(await manager.maximumUpdateValueLength == 20)
      #expect(await small.maximumWriteValueLength(for: try same.get(Board.command)) == 20)
      let error = await #expect(throws: BluetoothError.self) {
        try await small.writeValue(
          Array(repeating: 0, count: 21), to: same.get(Board.command), type: .withoutResponse)
      }
      #expect(error?.code == .valueTooLong(maximum: 20))
      try await small.writeValue(
        Array(repeating: 3, count: 21), to: same.get(Board.control))
      #expect(board.writes.last?.value == Array(repeating: 3, count: 21))
      await small.close()
      await large.close()
    }
  }

  @Test func severalCentralsListenAtOnce() async throws {
    try await withBoard { room, _, manager, log in
      let (one, services) = try await connected(room)
      let (two, others) = try await connected(room, .named("hci2"))
      let first = try await one.subscribe(to: services.get(Board.status))
      let second = try await two.subscribe(to: others.get(Board.status))
      try await manager.updateValue([9], for: Board.status, of: Board.service)
      for try await value in first { #expect(value == [9]); break }
      for try await value in second { #expect(value == [9]); break }
      await one.close()
      await two.close()
    }
  }

  @Test func theLongestUpdateArrivesWhole() async throws {
    try await withBoard { room, _, manager, _ in
      await room.bluez.setMTU(48, adapter: 1)
      let (central, services) = try await connected(room)
      try await central.writeValue([1], to: services.get(Board.control))
      let values = try await central.subscribe(to: services.get(Board.status))
      let longest = await manager.maximumUpdateValueLength
      let sent = Array(repeating: 7 as UInt8, count: longest)
      try await manager.updateValue(sent, for: Board.status, of: Board.service)
      for try await value in values { #expect(value == sent); break }
      await central.close()
    }
  }

  @Test func endedSubscriptionsAreTakenBack() async throws {
    try await withBoard { room, _, _, log in
      let (central, services) = try await connected(room)
      var values: AsyncThrowingStream<[UInt8], any Error>? = try await central.subscribe(
        to: services.get(Board.status))
      #expect(await log.subscription() == true)
      #expect(values != nil)
      values = nil
      #expect(await log.subscription() == false)
      await central.close()
    }
  }

  @Test func aBrokenLinkEndsWhatNeedsIt() async throws {
    try await withBoard { room, _, _, log in
      let (central, services) = try await connected(room)
      try await central.writeValue([1], to: services.get(Board.control))
      let values = try await central.subscribe(to: services.get(Board.status))
      await room.bluez.dropLinks(of: 0)
      let error = await #expect(throws: BluetoothError.self) {
        for try await _ in values {}
      }
      #expect(error?.code == .notConnected)
      let late = await #expect(throws: BluetoothError.self) {
        try await central.readValue(of: services.get(Board.status))
      }
      #expect(late?.code == .notConnected)
      #expect(await log.disconnected() != nil)
      await log.advertising()
      // Again, after all that.
      let again = try await connect(central)
      #expect(try await central.readValue(of: again.get(Board.status)) == [5])
      await central.close()
    }
  }

  @Test func anOperationFailsWithItsLink() async throws {
    var timing = RadioTiming.fast
    timing.latency = .seconds(2)
    try await withBoard(timing) { room, _, _, _ in
      let (central, services) = try await connected(room)
      let read = Task { try await central.readValue(of: services.get(Board.status)) }
      let write = Task { try await central.readValue(of: services.get(Board.information)) }
      await room.bluez.dropLinks(of: 0)
      for task in [read, write] {
        let error = await #expect(throws: BluetoothError.self) { try await task.value }
        #expect(error?.code == .notConnected)
      }
      await central.close()
    }
  }

  @Test func cancellationLeavesNothingBehind() async throws {
    var timing = RadioTiming.fast
    timing.connection = .seconds(30)
    try await withBoard(timing) { room, _, _, _ in
      let central = try await room.central()
      try await central.waitUntilPoweredOn(timeout: .seconds(5))
      let address = try await find(central).address
      let attempt = Task { try await central.connect(address) }
      attempt.cancel()
      let error = await #expect(throws: BluetoothError.self) { try await attempt.value }
      #expect(error?.code == .cancelled)
      let short = await #expect(throws: BluetoothError.self) {
        try await central.connect(address, timeout: .milliseconds(50))
      }
      #expect(short?.code == .timedOut)
      // bluetoothd would refuse a second attempt beside the first.
      let again = await #expect(throws: BluetoothError.self) {
        try await central.connect(address, timeout: .milliseconds(50))
      }
      #expect(again?.code == .timedOut)
      await central.close()
      #expect(await room.bluez.isLinked(0, 1) == false)
    }
  }

  @Test func aFailedConnectionMayBeTriedAgain() async throws {
    try await withBoard { room, _, _, _ in
      let central = try await room.central()
      try await central.waitUntilPoweredOn(timeout: .seconds(5))
      let address = try await find(central).address
      await room.bluez.refuseNext(.connection)
      let error = await #expect(throws: BluetoothError.self) { try await central.connect(address) }
      #expect(error?.code == .connectionFailed)
      #expect(error?.cause?.message == "le-connection-abort-by-local")
      try await central.connect(address)
      await central.close()
      #expect(await room.bluez.isLinked(0, 1) == false)
    }
  }

  @Test func nobodyIsConnectedToWhoWasNotHeard() async throws {
    try await inRoom { room in
      let central = try await room.central()
      try await central.waitUntilPoweredOn(timeout: .seconds(5))
      let error = await #expect(throws: BluetoothError.self) {
        try await central.connect(#require(boardAddress))
      }
      #expect(error?.code == .unknownPeripheral)
    }
  }

  @Test func aForgottenPeripheralIsFoundAgain() async throws {
    try await withBoard { room, _, _, _ in
      let (central, _) = try await connected(room)
      let address = try #require(boardAddress)
      await central.disconnect(address)
      await central.remove(address)
      let error = await #expect(throws: BluetoothError.self) { try await central.connect(address) }
      #expect(error?.code == .unknownPeripheral)
      _ = try await connect(central)
      await central.close()
    }
  }

  @Test func whatIsMissingIsSaid() async throws {
    try await inRoom(started: false) { room in
      let central = try await room.central()
      let absent = await #expect(throws: BluetoothError.self) {
        for await state in await central.states() where state == .resetting { break }
        try await central.waitUntilPoweredOn(timeout: .milliseconds(50))
      }
      #expect(absent?.code == .serviceNotRunning)
      try await room.bluez.start()
      try await central.waitUntilPoweredOn(timeout: .seconds(5))
      await room.bluez.setPowered(false, adapter: 1)
      let off = await #expect(throws: BluetoothError.self) {
        for await state in await central.states() where state == .poweredOff { break }
        try await central.waitUntilPoweredOn(timeout: .milliseconds(50))
      }
      #expect(off?.code == .poweredOff)
      let other = try await room.central(.named("hci7"))
      let missing = await #expect(throws: BluetoothError.self) {
        for await state in await other.states() where state == .unsupported { break }
        try await other.waitUntilPoweredOn(timeout: .milliseconds(50))
      }
      #expect(missing?.code == .noAdapter)
      #expect(missing?.message == "there is no Bluetooth adapter hci7")
    }
  }

  @Test func adaptersAreSelectedByAddress() async throws {
    try await inRoom { room in
      let address = try #require(BluetoothAddress("00:AA:01:00:00:02"))
      let central = try await room.central(.address(address))
      try await central.waitUntilPoweredOn(timeout: .seconds(5))
      await room.bluez.removeAdapter(2)
      for await state in await central.states() where state == .unsupported { break }
    }
  }

  @Test func aScanEndsWithTheService() async throws {
    try await withBoard { room, _, _, _ in
      let central = try await room.central()
      try await central.waitUntilPoweredOn(timeout: .seconds(5))
      let scan = try await central.scan()
      await room.bluez.stop()
      let error = await #expect(throws: BluetoothError.self) { for try await _ in scan {} }
      #expect(error?.code == .serviceNotRunning)
      try await room.bluez.start()
      try await central.waitUntilPoweredOn(timeout: .seconds(5))
      _ = try await find(central)
      await central.close()
    }
  }

  @Test func scansMatchByThemselves() async throws {
    try await withBoard { room, _, _, _ in
      let central = try await room.central()
      try await central.waitUntilPoweredOn(timeout: .seconds(5))
      let other = try await central.scan(for: [BluetoothUUID(UInt16(0xAAAA))])
      // Two scans at once, and the second finds what the first must not.
      _ = try await find(central)
      let nothing = Task {
        for try await _ in other { return false }; return true
      }
      nothing.cancel()
      #expect(try await nothing.value)
      await central.close()
    }
  }

  // MARK: - Steps

  private func withBoard(
    _ timing: RadioTiming = .fast,
    _ body: @escaping @Sendable (Room, Board, PeripheralManager, PeripheralLog) async throws -> Void
  ) async throws {
    try await inRoom(timing: timing) { room in
      let board = Board()
      let manager = try await room.peripheral()
      let log = PeripheralLog()
      await log.follow(manager)
      try await manager.publish(board.services)
      try await manager.startAdvertising(Board.advertisement)
      await log.advertising()
      try await body(room, board, manager, log)
      await manager.stop()
    }
  }

  private func find(_ central: CentralManager) async throws -> Discovery {
    for try await discovery in try await central.scan(for: [Board.service])
    where discovery.advertisement.localName != nil {
      return discovery
    }
    throw BusError(name: "test.Ended", message: "the scan ended")
  }

  private func connect(_ central: CentralManager) async throws -> [RemoteService] {
    let address = try await find(central).address
    try await central.connect(address)
    return try await central.discoverServices(of: address)
  }

  private func connected(_ room: Room, _ adapter: AdapterSelection = .named("hci1"))
    async throws -> (CentralManager, [RemoteService])
  {
    let central = try await room.central(adapter)
    try await central.waitUntilPoweredOn(timeout: .seconds(5))
    return (central, try await connect(central))
  }
}

extension [RemoteService] {
  fileprivate func find(_ uuid: BluetoothUUID) -> RemoteCharacteristic? {
    flatMap(\.characteristics).first { $0.uuid == uuid }
  }

  fileprivate func get(_ uuid: BluetoothUUID) throws -> RemoteCharacteristic {
    try #require(find(uuid))
  }
}
