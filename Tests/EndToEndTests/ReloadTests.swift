import Foundation
import MainLoop
import RadioSimulator
import Testing

/// A configuration that changes while the daemon runs.
@Suite(.timeLimit(.minutes(1))) struct ReloadTests {
  @Test func aHangUpPutsTheConfigurationIntoEffect() async throws {
    try await Stage.open(Stage.room) { stage in
      let board = try stage.board()
      #expect(await board.says("advertising"))
      let text = try String(contentsOf: stage.configuration, encoding: .utf8)
      try Data(text.replacing("name = Board", with: "name = Other").utf8)
        .write(to: stage.configuration)
      board.send(signal: SIGHUP)
      #expect(await board.says("‘Other’"))
      try Data((text + "nonsense\n").utf8).write(to: stage.configuration)
      board.send(signal: SIGHUP)
      #expect(await board.says("the configuration from before stays in force"))
      try await stage.provision(board)
      let laptop = try stage.laptop(["info", "{device}"])
      #expect(await laptop.event { $0.event == "information" }?.name == "Other")
      #expect(await laptop.end() == .exited(status: 0))
      await stage.stop(board)
    }
  }
}
