import Foundation
import RadioSimulator
import Testing

@Suite(.timeLimit(.minutes(1))) struct ScenarioRunTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Scenarios")

  static let files: [URL] = {
    // Those that the VM plays, too, and those that it cannot.
    [folder, folder.appending(path: "simulator")].flatMap { folder in
      let all = try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      return (all ?? []).filter { $0.pathExtension == "scenario" }.sorted { $0.path < $1.path }
    }
  }()

  @Test func thereAreScenarios() { #expect(!Self.files.isEmpty) }

  @Test(arguments: files)
  func theStepsComeToWhatTheFileSays(file: URL) async throws {
    let scenario = try Scenario(path: file.path)
    try await Stage.open(scenario) { stage in
      let board = try stage.board()
      for step in scenario.steps {
        try await stage.run(step, in: file.deletingLastPathComponent(), board: board)
      }
      await stage.stop(board)
    }
  }
}
