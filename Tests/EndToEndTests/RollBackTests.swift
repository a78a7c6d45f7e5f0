import Glibc
import MainLoop
import RadioSimulator
import Testing

/// A board that has a network keeps it, whatever comes between it and another one.
@Suite(.timeLimit(.minutes(1))) struct RollBackTests {
  private static func waitForHome(_ stage: Stage) async throws {
    while await stage.simulator.networkManager.connectedProfile?.ssid != Stage.home.ssid {
      try await stage.loop.sleep(for: .milliseconds(10))
    }
  }

  /// Runs a test with the board in its network, and wanting another one.
  private func duringAnAttempt(
    _ body: @escaping @Sendable (Stage, RunningProgram, RunningProgram) async throws -> Void
  ) async throws {
    try await Stage.open(Stage.room, timeScale: Stage.slow) { stage in
      let board = try stage.board()
      try await stage.provision(board)
      let manager = stage.simulator.networkManager
      let before = await manager.allProfiles.map(\.settings)
      #expect(before.count == 1)
      try await body(stage, board, try await stage.startLongAttempt())
      try await Self.waitForHome(stage)
      #expect(await manager.allProfiles.map(\.settings) == before)
      #expect(await manager.allProfiles.map(\.isSaved) == [true])

      // And the next daemon takes the next job.
      let next = try stage.board()
      try await stage.provision(next)
      await stage.stop(next)
    }
  }

  @Test func aDaemonThatIsKilledLeavesTheBoardInItsNetwork() async throws {
    try await duringAnAttempt { stage, board, laptop in
      board.send(signal: SIGKILL)
      _ = await board.end()
      #expect(await laptop.end() != .exited(status: 0))
      await stage.simulator.networkManager.expireCheckpoints()
    }
  }

  @Test func powerLossLeavesTheBoardInItsNetwork() async throws {
    try await duringAnAttempt { stage, board, laptop in
      board.send(signal: SIGKILL)
      await stage.simulator.networkManager.stop()
      _ = await board.end()
      #expect(await laptop.end() != .exited(status: 0))
      try await stage.simulator.networkManager.start()
    }
  }

  @Test func aDaemonThatIsStoppedLeavesTheBoardInItsNetwork() async throws {
    try await duringAnAttempt { stage, board, laptop in
      await stage.stop(board)
      #expect(await laptop.end() != .exited(status: 0))
    }
  }

  @Test func aFailureLeavesTheBoardInItsNetwork() async throws {
    try await duringAnAttempt { stage, board, laptop in
      await stage.waitForAttempt(of: board)
      #expect(await laptop.end() == .exited(status: 12), "\(laptop.transcript)")
      try await Self.waitForHome(stage)
      await stage.stop(board)
    }
  }
}
