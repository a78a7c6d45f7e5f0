import Foundation
import RadioSimulator
import Testing

/// Plain writes over a paired link.
@Suite(.timeLimit(.minutes(1))) struct LinkTests {
  private static let room = Scenario(security: .link, accessPoints: [Stage.home])

  private func provision(_ stage: Stage) throws -> RunningProgram {
    try stage.laptop(
      ["connect", "{device}", "--insecure", "--ssid", "Home", "--password-stdin"],
      input: "correct horse battery")
  }

  @Test func theLaptopPairsByItselfAndTheBondIsOfUseLater() async throws {
    try await Stage.open(Self.room) { stage in
      let board = try stage.board()
      #expect(await board.says("advertising"))
      let first = try provision(stage)
      await stage.expect(first, endsWith: 0, beside: board)
      #expect(await first.says("sent over a paired link"))
      #expect(await board.says("00:AA:01:00:00:01 pairs"))
      // Bonds outlive the service.
      await stage.simulator.bluez.stop()
      #expect(await board.says("Bluetooth cannot be used"))
      try await stage.simulator.bluez.start()
      await stage.expect(try provision(stage), endsWith: 0, beside: board)
      #expect(!board.transcript.contains("correct horse"))
      await stage.stop(board)
    }
  }

  @Test func plainWritesAreSentOnlyWhenToldTo() async throws {
    try await Stage.open(Self.room) { stage in
      let board = try stage.board()
      #expect(await board.says("advertising"))
      let laptop = try stage.connect(to: "Home")
      await stage.expect(laptop, endsWith: 6, beside: board)
      #expect(laptop.events.last?.reason == "insecure-only")
      await stage.stop(board)
    }
  }

  @Test func aPasskeyNeedsSomebodyToTypeIt() async throws {
    try await Stage.open(Self.room) { stage in
      let text = try String(contentsOf: stage.configuration, encoding: .utf8)
      try Data(text.replacing("security = link", with: "security = link\npairing = passkey").utf8)
        .write(to: stage.configuration)
      let board = try stage.board()
      #expect(await board.says("advertising"))
      let laptop = try provision(stage)
      await stage.expect(laptop, endsWith: 6, beside: board)
      #expect(laptop.events.last?.reason == "passkey-required")
      #expect(await board.says("00:AA:01:00:00:01 wants to pair: type"))
      await stage.stop(board)
    }
  }
}
