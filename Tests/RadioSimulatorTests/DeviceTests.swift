import DBus
import RadioSimulator
import TestSupport
import Testing

private let adapter = "org.bluez.Adapter1"
private let device = "org.bluez.Device1"
private let boardAdapter = ObjectPath(literal: "/org/bluez/hci0")

@Suite(.timeLimit(.minutes(1))) struct DeviceTests {
  @Test func whatOneAdvertisesTheOtherFinds() async throws {
    try await inRoom { _, board, laptop in
      try await board.advertise()
      try await laptop.find()
      let reply = try await laptop.call(
        Laptop.device, StandardInterface.properties, "GetAll", [.string(device)])
      let properties = try #require(reply.first?.asDictionary)
      #expect(properties["Address"] == .string("00:AA:01:00:00:00"))
      #expect(properties["AddressType"] == .string("public"))
      #expect(properties["Name"] == .string("board"))
      #expect(properties["Alias"] == .string("board"))
      #expect(properties["UUIDs"] == .strings([Board.uuid]))
      #expect(properties["Adapter"] == .objectPath(Laptop.adapter))
      #expect(properties["Connected"] == .boolean(false))
      #expect(properties["ServicesResolved"] == .boolean(false))
      #expect(properties["Paired"] == .boolean(false))
      #expect(properties["ManufacturerData"] == nil)
      #expect(
        properties["ServiceData"]?.asDictionary?[Board.uuid] == .bytes([0x57, 0x50, 1]))
      guard case .int16(let rssi) = properties["RSSI"] else {
        Issue.record("no RSSI")
        return
      }
      #expect((-60 ... -20).contains(rssi))
    }
  }

  @Test func aChangedAdvertisementIsHeard() async throws {
    try await inRoom { _, board, laptop in
      try await board.advertise()
      try await laptop.find()
      await board.bus.propertiesChanged(
        Board.advertisement, "org.bluez.LEAdvertisement1",
        ["ServiceData": .properties([Board.uuid: .bytes([0x57, 0x50, 2])])])
      _ = await laptop.wait(for: "ServiceData", of: Laptop.device, device) {
        $0.asDictionary?[Board.uuid] == .bytes([0x57, 0x50, 2])
      }
    }
  }

  @Test func aDeviceThatFallsSilentGoes() async throws {
    var timing = RadioTiming.quick
    timing.temporaryTimeout = .milliseconds(50)
    try await inRoom(timing: timing) { bluez, board, laptop in
      try await board.advertise()
      try await laptop.find()
      await bluez.setOutOfReach(true, adapter: 0)
      _ = await laptop.wait { message in
        message.member == "InterfacesRemoved"
          && message.arguments.first == .objectPath(Laptop.device) ? true : nil
      }
      await #expect(throws: BusError.self) {
        try await laptop.call(Laptop.device, device, "Connect")
      }
    }
  }

  @Test(
    arguments: [
      (["Transport": .string("le"), "DuplicateData": .boolean(true)], true),
      (["UUIDs": .strings([Board.uuid])], true), (["AutoConnect": .boolean(true)], false),
      (["Transport": .string("usb")], false), (["RSSI": .int32(-40)], false),
      (["RSSI": .int16(-40), "Pathloss": .uint16(40)], false),
    ] as [([String: Value], Bool)]
  )
  func filtersAreChecked(filter: [String: Value], isRight: Bool) async throws {
    try await inRoom { _, _, laptop in
      do {
        try await laptop.call(
          Laptop.adapter, adapter, "SetDiscoveryFilter", [.properties(filter)])
        #expect(isRight)
      } catch {
        #expect(!isRight)
        #expect((error as? BusError)?.name == "org.bluez.Error.InvalidArguments")
      }
    }
  }

  @Test func discoveryHasItsRules() async throws {
    try await inRoom { bluez, _, laptop in
      let notStarted = await #expect(throws: BusError.self) {
        try await laptop.call(Laptop.adapter, adapter, "StopDiscovery")
      }
      #expect(notStarted?.message == "No discovery started")
      try await laptop.call(Laptop.adapter, adapter, "StartDiscovery")
      let twice = await #expect(throws: BusError.self) {
        try await laptop.call(Laptop.adapter, adapter, "StartDiscovery")
      }
      #expect(twice?.name == "org.bluez.Error.InProgress")
      await bluez.setPowered(false, adapter: 1)
      _ = await laptop.wait(for: "Discovering", of: Laptop.adapter, adapter) {
        $0.asBool == false
      }
      let off = await #expect(throws: BusError.self) {
        try await laptop.call(Laptop.adapter, adapter, "StartDiscovery")
      }
      #expect(off?.name == "org.bluez.Error.NotReady")
    }
  }

  @Test func aLinkComesAndGoes() async throws {
    try await inRoom { bluez, board, laptop in
      try await board.serve([])
      try await board.advertise()
      try await laptop.connect()
      #expect(await bluez.isLinked(0, 1))
      // Generic Access has the adapter's name, which BlueZ prefers to the advertised one.
      _ = await laptop.wait(for: "Name", of: Laptop.device, device) { $0 == .string("simulated") }
      try await laptop.call(Laptop.device, device, "Connect")
      laptop.forget()
      try await laptop.call(Laptop.device, device, "Disconnect")
      #expect(await !bluez.isLinked(0, 1))
      #expect(
        try await laptop.property("Connected", of: device, Laptop.device) == .boolean(false))
      let members = laptop.signals.filter { $0.path == Laptop.device }
        .compactMap { $0.arguments.dropFirst().first?.asDictionary?.keys.first }
      #expect(members.prefix(2) == ["ServicesResolved", "Connected"])
    }
  }

  @Test func aPeerThatDoesNotAnswerEndsTheAttempt() async throws {
    var timing = RadioTiming.quick
    timing.connectionTimeout = .milliseconds(30)
    try await inRoom(timing: timing) { bluez, board, laptop in
      try await board.advertise()
      try await laptop.find()
      await bluez.refuseNext(.connection)
      let failure = BusError(
        name: "org.bluez.Error.Failed", message: "le-connection-abort-by-local")
      await #expect(throws: failure) { try await laptop.call(Laptop.device, device, "Connect") }
      await bluez.setOutOfReach(true, adapter: 0)
      await #expect(throws: failure) { try await laptop.call(Laptop.device, device, "Connect") }
      await bluez.setOutOfReach(false, adapter: 0)
      try await laptop.call(Laptop.device, device, "Connect")
    }
  }

  @Test func disconnectCancelsAnAttempt() async throws {
    try await inRoom { bluez, board, laptop in
      try await board.advertise()
      try await laptop.find()
      await bluez.setOutOfReach(true, adapter: 0)
      // On the loop, so that they start in this order.
      let loop = laptop.bus.loop
      let attempt = Task(executorPreference: loop) {
        try await laptop.call(Laptop.device, device, "Connect")
      }
      let twice = Task(executorPreference: loop) {
        try await laptop.call(Laptop.device, device, "Connect")
      }
      await #expect(
        throws: BusError(
          name: "org.bluez.Error.Failed", message: "Operation already in progress")
      ) { try await twice.value }
      try await laptop.call(Laptop.device, device, "Disconnect")
      await #expect(
        throws: BusError(name: "org.bluez.Error.Failed", message: "br-connection-canceled")
      ) { try await attempt.value }
    }
  }

  @Test func aRemovedDeviceIsFoundAgain() async throws {
    try await inRoom { _, board, laptop in
      try await board.serve([])
      try await board.advertise()
      try await laptop.connect()
      laptop.forget()
      try await laptop.call(
        Laptop.adapter, adapter, "RemoveDevice", [.objectPath(Laptop.device)])
      _ = await laptop.wait { message in
        message.member == "InterfacesRemoved"
          && message.arguments.first == .objectPath(Laptop.device) ? true : nil
      }
      _ = await laptop.wait(for: "Address", of: Laptop.device, device)
      let unknown = await #expect(throws: BusError.self) {
        try await laptop.call(Laptop.adapter, adapter, "RemoveDevice", [.objectPath(.root)])
      }
      #expect(unknown?.name == "org.bluez.Error.DoesNotExist")
    }
  }

  @Test func powerIsSwitchedByTheProperty() async throws {
    try await inRoom { bluez, _, laptop in
      try await laptop.bus.setProperty(
        "Powered", of: adapter, "org.bluez", boardAdapter, to: .boolean(false))
      _ = await laptop.wait(for: "Powered", of: boardAdapter, adapter) { $0.asBool == false }
      await bluez.setBlocked(true, adapter: 0)
      let blocked = await #expect(throws: BusError.self) {
        try await laptop.bus.setProperty(
          "Powered", of: adapter, "org.bluez", boardAdapter, to: .boolean(true))
      }
      #expect(blocked?.name == "org.bluez.Error.Blocked")
      await bluez.setBlocked(false, adapter: 0)
      laptop.forget()
      try await laptop.bus.setProperty(
        "Powered", of: adapter, "org.bluez", boardAdapter, to: .boolean(true))
      _ = await laptop.wait(for: "Powered", of: boardAdapter, adapter) { $0.asBool == true }
    }
  }

  @Test func aRestartForgetsEverythingButTheAdapters() async throws {
    try await inRoom { bluez, board, laptop in
      try await board.serve([])
      try await board.advertise()
      try await laptop.connect()
      await bluez.stop()
      let gone = await #expect(throws: BusError.self) {
        try await laptop.call(Laptop.device, device, "Disconnect")
      }
      #expect(gone?.isServiceMissing == true)
      laptop.forget()
      try await bluez.start()
      let reply = try await laptop.call(
        .root, StandardInterface.objectManager, "GetManagedObjects")
      let paths = reply.first?.asEntries?.compactMap { $0.key.asObjectPath?.string }
      #expect(paths == ["/org/bluez", "/org/bluez/hci0", "/org/bluez/hci1"])
      #expect(await bluez.advertisementCount(of: 0) == 0)
    }
  }

  @Test func adaptersComeAndGo() async throws {
    try await inRoom { bluez, board, laptop in
      try await board.serve([])
      try await board.advertise()
      try await laptop.connect()
      laptop.forget()
      await bluez.removeAdapter(0)
      _ = await laptop.wait(for: "Connected", of: Laptop.device, device) { $0.asBool == false }
      _ = await laptop.wait { message in
        message.member == "InterfacesRemoved"
          && message.arguments.first == .objectPath(boardAdapter) ? true : nil
      }
      await bluez.addAdapter(SimulatedAdapter(0, hasLowEnergy: false))
      #expect(try await laptop.property("Roles", of: adapter, boardAdapter) == .strings([]))
    }
  }
}
