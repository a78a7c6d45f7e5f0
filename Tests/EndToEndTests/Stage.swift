import DBus
import DeviceState
import Foundation
import MainLoop
import RadioSimulator
import TestSupport
import Testing

/// A room in which the built programs run: the board on `hci0`, the laptop on `hci1`.
struct Stage: Sendable {
  static let deviceID = "0123456789ab"
  static let code = "314-159-266"

  let simulator: RadioSimulator
  let loop: MainLoop
  let busAddress: String
  /// The scenario's passwords, the setup code, and what the board keeps of it.
  private let secrets = KnownSecrets()
  /// Holds the board's configuration and its state.
  let folder: URL
  var configuration: URL { folder.appending(path: "board.conf") }

  /// Runs a body in a room; the bus ends with it, and so do the programs that are left.
  static func open(
    _ scenario: Scenario, timing: RadioTiming = RadioTiming(), timeScale: Double = 0.02,
    startsServices: Bool = true,
    _ body: @escaping @Sendable (Stage) async throws -> Void
  ) async throws {
    try await onPrivateBus { loop, bus in
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "wifi-provisioning-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let text = """
        [provisioning]
        mode = always
        security = \(scenario.security.rawValue)
        state-folder = \(folder.appending(path: "state").path)
        [device]
        id = \(deviceID)
        name = Board
        [bluetooth]
        adapter = hci0

        """
      let stage = Stage(
        simulator: RadioSimulator(
          scenario, busAddress: bus.address, loop: loop, timing: timing,
          timeScale: timeScale), loop: loop,
        busAddress: bus.address, folder: folder)
      try Data(text.utf8).write(to: stage.configuration)
      stage.learnSecrets(of: scenario)
      await stage.expect(try stage.boardCommand("set-code", "--stdin", input: code), endsWith: 0)
      try stage.learnStoredCode()
      if startsServices { try await stage.simulator.start() }
      try await body(stage)
      await stage.simulator.stop()
    }
  }

  private func learnSecrets(of scenario: Scenario) {
    secrets.add(code: Self.code)
    for accessPoint in scenario.accessPoints {
      let password = accessPoint.password ?? accessPoint.enterprise?.password ?? ""
      secrets.add(Array(password.utf8), as: "a password")
    }
  }

  private func learnStoredCode() throws {
    let stored = try StateFolder(folder.appending(path: "state").path).storedCode()
    secrets.add(try #require(stored))
  }

  /// Starts the board's daemon.
  func board() throws -> RunningProgram {
    try RunningProgram(
      "wifi-provisiond", ["--verbose", "--config", configuration.path, "run"],
      busAddress: busAddress, secrets: secrets, loop: loop)
  }

  /// Starts one of the commands for the person at the board, which may show the setup code.
  func boardCommand(_ arguments: String..., input: String? = nil) throws -> RunningProgram {
    try RunningProgram(
      "wifi-provisiond", ["--verbose", "--config", configuration.path] + arguments,
      busAddress: busAddress, input: input, secrets: secrets,
      showsCode: ["set-code", "label"].contains(arguments.first), loop: loop)
  }

  /// Starts the laptop's program; `{device}` and `{code}` stand for the board's id and setup code.
  func laptop(
    _ arguments: [String], input: String? = nil, adapter: String = "hci1"
  ) throws -> RunningProgram {
    let words = arguments.map { word in
      switch word {
      case "{device}": Self.deviceID
      case "{code}": Self.code
      default: word
      }
    }
    if let input { secrets.add(Array(input.utf8), as: "a password") }
    // A wrong one may be another device's.
    for (option, value) in zip(words, words.dropFirst()) where option == "--code" {
      secrets.add(code: value)
    }
    return try RunningProgram(
      "wifi-provision", ["--json", "--verbose", "--adapter", adapter] + words,
      busAddress: busAddress, input: input, secrets: secrets, loop: loop)
  }

  /// Runs the laptop's program, and holds it and the board's to what the step says.
  ///
  /// - Parameter folder: where the scenario's files are, for `{folder}`.
  func run(_ step: ScenarioStep, in folder: URL, board: RunningProgram) async throws {
    let arguments = step.arguments.map {
      $0.replacingOccurrences(of: "{folder}", with: folder.path)
    }
    let laptop = try laptop(arguments, input: step.input)
    let end = await laptop.end()
    let told: Comment = "step \(step.name)\n\(laptop.transcript)\n\(board.transcript)"
    if let status = step.exitStatus {
      #expect(end == .exited(status: status), told)
      #expect(laptop.events.last?.exitCode == status, told)
    }
    #expect(laptop.events.last?.event == "result", told)
    let state = laptop.events.last { $0.event == "state" }
    if let wanted = step.state { #expect(state?.state == wanted, told) }
    if let wanted = step.reason { #expect(state?.reason == wanted, told) }
  }

  /// Ends the board's daemon as a service manager does.
  func stop(_ board: RunningProgram) async {
    board.send(signal: SIGTERM)
    let end = await board.end()
    #expect(end == .exited(status: 0), "\(board.transcript)")
  }
}
