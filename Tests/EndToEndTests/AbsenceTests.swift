import RadioSimulator
import Testing

/// What is not there when the programs start, and then appears.
@Suite(.timeLimit(.minutes(1))) struct AbsenceTests {
  @Test func noAdapterThenOne() async throws {
    var room = Stage.room
    room.adapters.removeFirst()
    try await Stage.open(room) { stage in
      let board = try stage.board()
      #expect(await board.says("Bluetooth cannot be used"))
      await stage.simulator.bluez.addAdapter(SimulatedAdapter(0))
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test func anAdapterWithoutLowEnergyThenOneWithIt() async throws {
    var room = Stage.room
    room.adapters[0].hasLowEnergy = false
    try await Stage.open(room) { stage in
      let board = try stage.board()
      #expect(await board.says("Bluetooth cannot be used"))
      await stage.simulator.bluez.addAdapter(SimulatedAdapter(0))
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test func anAdapterThatIsOffIsSwitchedOn() async throws {
    var room = Stage.room
    room.adapters[0].isPowered = false
    try await Stage.open(room) { stage in
      let board = try stage.board()
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test func noServicesThenAll() async throws {
    try await Stage.open(Stage.room, startsServices: false) { stage in
      let board = try stage.board()
      #expect(await board.says("Bluetooth cannot be used"))
      try await stage.simulator.start()
      // The two services do not come at the same moment.
      #expect(await board.says("Wi-Fi can be used"))
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test(arguments: [
    ("network-manager-not-running", SimulatedStation(hasNetworkManager: false)),
    ("no-wifi-device", SimulatedStation(hasDevice: false)),
    ("wifi-device-not-managed", SimulatedStation(isManaged: false)),
    ("radio-blocked", SimulatedStation(isRadioOn: false)),
  ])
  func aBoardThatCannotUseWiFiSaysWhyAndRecovers(
    reason: String, station: SimulatedStation
  ) async throws {
    var room = Stage.room
    room.station = station
    try await Stage.open(room) { stage in
      let board = try stage.board()
      #expect(await board.says("Wi-Fi cannot be used"))
      let laptop = try stage.connect(to: "Home")
      await stage.expect(laptop, endsWith: 20, beside: board)
      #expect(laptop.events.last?.reason == reason)
      await stage.simulator.networkManager.change { $0 = SimulatedStation() }
      try await stage.simulator.networkManager.start()
      #expect(await board.says("Wi-Fi can be used"))
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test func aLaptopWithoutAnAdapterSaysSo() async throws {
    var room = Stage.room
    room.adapters.removeLast()
    try await Stage.open(room) { stage in
      let laptop = try stage.connect(to: "Home")
      await stage.expect(laptop, endsWith: 3)
      await stage.simulator.bluez.stop()
      let again = try stage.connect(to: "Home")
      await stage.expect(again, endsWith: 3)
    }
  }

  @Test func aBoardThatIsNotThereIsNotFound() async throws {
    try await Stage.open(Stage.room) { stage in
      let laptop = try stage.laptop(["--timeout", "0.5", "status", "{device}"])
      await stage.expect(laptop, endsWith: 4)
    }
  }
}
