import RadioSimulator
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LostLinkTests {
  @Test func theResultComesOverANewLink() async throws {
    try await Stage.open(Stage.room, timeScale: Stage.slow) { stage in
      let board = try stage.board()
      let laptop = try await stage.startLongAttempt()
      await stage.simulator.bluez.dropLinks(of: 0)
      await stage.expect(laptop, endsWith: 12, beside: board)
      #expect(laptop.events.last?.reason == "no-address")
      #expect(laptop.events.count { $0.event == "connected-to-device" } == 2)
      try await stage.provision(board)
      await stage.stop(board)
    }
  }
}
