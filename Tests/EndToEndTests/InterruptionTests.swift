import DBus
import Glibc
import MainLoop
import RadioSimulator
import Testing

/// What comes between a board and its network, and that both programs get over it.
@Suite(.timeLimit(.minutes(1))) struct InterruptionTests {
  @Test func blueZRestartsWhileTheBoardAdvertises() async throws {
    try await Stage.open(Stage.room) { stage in
      let board = try stage.board()
      #expect(await board.says("advertising"))
      await stage.simulator.bluez.stop()
      #expect(await board.says("Bluetooth cannot be used"))
      try await stage.simulator.bluez.start()
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test func blueZRestartsDuringAnAttempt() async throws {
    try await Stage.open(Stage.room, timeScale: Stage.slow) { stage in
      let board = try stage.board()
      let laptop = try await stage.startLongAttempt()
      await stage.simulator.bluez.stop()
      await stage.expect(laptop, endsWith: 5, beside: board)
      try await stage.simulator.bluez.start()
      await stage.waitForAttempt(of: board)
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test func theBoardsAdapterIsSwitchedOffAndOn() async throws {
    try await Stage.open(Stage.room, timeScale: Stage.slow) { stage in
      let board = try stage.board()
      #expect(await board.says("advertising"))
      let laptop = try await stage.startLongAttempt()
      // Blocked, since the board switches its adapter on by itself.
      await stage.simulator.bluez.setBlocked(true, adapter: 0)
      await stage.expect(laptop, endsWith: 5, beside: board)
      #expect(await board.says("Bluetooth cannot be used"))
      await stage.simulator.bluez.setBlocked(false, adapter: 0)
      await stage.simulator.bluez.setPowered(true, adapter: 0)
      await stage.waitForAttempt(of: board)
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test func theBoardsAdapterIsPulledOutAndPutBack() async throws {
    try await Stage.open(Stage.room, timeScale: Stage.slow) { stage in
      let board = try stage.board()
      let laptop = try await stage.startLongAttempt()
      await stage.simulator.bluez.removeAdapter(0)
      await stage.expect(laptop, endsWith: 5, beside: board)
      await stage.simulator.bluez.addAdapter(SimulatedAdapter(0))
      await stage.waitForAttempt(of: board)
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test func aSecondProvisionerIsToldThatTheBoardIsBusy() async throws {
    var room = Stage.room
    room.adapters.append(SimulatedAdapter(2))
    try await Stage.open(room, timeScale: Stage.slow) { stage in
      let board = try stage.board()
      let first = try await stage.startLongAttempt()
      let second = try stage.connect(to: "Home", adapter: "hci2")
      await stage.expect(second, endsWith: 6, beside: board)
      #expect(second.events.last?.reason == "busy")
      first.send(signal: SIGINT)
      await stage.expect(first, endsWith: 128 + SIGINT, beside: board)
      try await stage.provision(board, adapter: "hci2")
      await stage.stop(board)
    }
  }

  @Test func threeProvisionersReadTheStatusAtOnce() async throws {
    var room = Stage.room
    room.adapters += [SimulatedAdapter(2), SimulatedAdapter(3)]
    try await Stage.open(room) { stage in
      let board = try stage.board()
      let readers = try ["hci1", "hci2", "hci3"].map {
        try stage.laptop(["status", "{device}"], adapter: $0)
      }
      for reader in readers {
        await stage.expect(reader, endsWith: 0, beside: board)
        #expect(reader.events.last { $0.event == "state" }?.state == "idle")
      }
      await stage.stop(board)
    }
  }

  @Test func aProvisionerVanishesWhileItWritesAndComesBack() async throws {
    var timing = RadioTiming()
    // Long enough to vanish between the first write and the last.
    timing.latency = .milliseconds(100)
    try await Stage.open(Stage.room, timing: timing) { stage in
      let board = try stage.board()
      let laptop = try stage.connect(to: "Home")
      #expect(await board.says("has begun"))
      laptop.send(signal: SIGKILL)
      _ = await laptop.end()
      // BlueZ keeps the link of a program that has died; the laptop leaves.
      await stage.simulator.bluez.setOutOfReach(true, adapter: 1)
      #expect(await board.says("has disconnected"))
      await stage.simulator.bluez.setOutOfReach(false, adapter: 1)
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test func ctrlCDisconnectsAndTheBoardIsFreeAgain() async throws {
    try await Stage.open(Stage.room, timeScale: Stage.slow) { stage in
      let board = try stage.board()
      let laptop = try await stage.startLongAttempt()
      laptop.send(signal: SIGINT)
      await stage.expect(laptop, endsWith: 128 + SIGINT, beside: board)
      #expect(await !stage.simulator.bluez.isLinked(0, 1))
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test func theDaemonStopsDuringAnAttempt() async throws {
    try await Stage.open(Stage.room, timeScale: Stage.slow) { stage in
      let board = try stage.board()
      let laptop = try await stage.startLongAttempt()
      await stage.stop(board)
      // The bus tells of a program's end a little later than the system does.
      while await stage.simulator.bluez.advertisementCount(of: 0) > 0 {
        try await stage.loop.sleep(for: .milliseconds(10))
      }
      let end = await laptop.end()
      #expect(end != .exited(status: 0), "\(laptop.transcript)")
    }
  }

  @Test func networkManagerRestartsDuringAnAttempt() async throws {
    try await Stage.open(Stage.room, timeScale: Stage.slow) { stage in
      let board = try stage.board()
      let laptop = try await stage.startLongAttempt()
      await stage.simulator.networkManager.stop()
      await stage.expect(laptop, endsWith: 20, beside: board)
      #expect(laptop.events.last?.reason == "network-manager-not-running")
      try await stage.simulator.networkManager.start()
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test(arguments: [SimulatedBlueZ.Refusal.advertisement, .application])
  func whatBlueZRefusesOnceIsAskedForAgain(refusal: SimulatedBlueZ.Refusal) async throws {
    try await Stage.open(Stage.room) { stage in
      await stage.simulator.bluez.refuseNext(refusal)
      let board = try stage.board()
      #expect(await board.says("advertising"))
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test func aConnectionThatFailsIsTriedAgain() async throws {
    try await Stage.open(Stage.room) { stage in
      let board = try stage.board()
      await stage.simulator.bluez.refuseNext(.connection)
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test func aConnectionThatIsNotAnnouncedIsSeen() async throws {
    try await Stage.open(Stage.room) { stage in
      let board = try stage.board()
      await stage.simulator.bluez.hideNextConnection()
      try await stage.provision(board)
      await stage.stop(board)
    }
  }

  @Test func aSlowBlueZIsWaitedFor() async throws {
    try await Stage.open(Stage.room) { stage in
      await stage.simulator.bluez.setReplyDelay(.milliseconds(200))
      let board = try stage.board()
      try await stage.provision(board)
      await stage.stop(board)
    }
  }
}
