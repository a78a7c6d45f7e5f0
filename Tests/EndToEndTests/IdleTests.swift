import Foundation
import RadioSimulator
import Testing

/// What a board does while nobody asks anything of it: nothing.
@Suite(.timeLimit(.minutes(1))) struct IdleTests {
  @Test func theDaemonNeverUsesTheThreadPool() async throws {
    try await Stage.open(Stage.room) { stage in
      let board = try stage.board()
      #expect(await board.says("Wi-Fi can be used"))
      try await stage.provision(board)
      // libdispatch, once used, wakes up every second until the process ends.
      let threads = try board.threadNames
      #expect(!threads.isEmpty)
      #expect(!threads.contains { $0.contains("-qos") }, "\(threads)")
      await stage.stop(board)
    }
  }
}
