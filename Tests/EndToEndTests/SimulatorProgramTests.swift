import DBus
import Foundation
import Glibc
import MainLoop
import TestSupport
import Testing

/// `radio-simulator` as a person starts it.
@Suite(.timeLimit(.minutes(1))) struct SimulatorProgramTests {
  private static let scenario = ScenarioRunTests.folder.appending(path: "wpa2-right.scenario").path

  /// Runs the program to its end.
  private func run(_ arguments: [String]) async throws -> (ChildProcess.End, String) {
    try await onLoop { loop in
      let program = try RunningProgram("radio-simulator", arguments, busAddress: "", loop: loop)
      return (await program.end(), program.transcript)
    }
  }

  @Test(arguments: [
    ("exit 7", ChildProcess.End.exited(status: 7)), ("kill -9 $$", .exited(status: 128 + 9)),
    ("test \"$DBUS_SYSTEM_BUS_ADDRESS\"", .exited(status: 0)),
  ])
  func theCommandsEndIsItsOwn(script: String, end: ChildProcess.End) async throws {
    #expect(try await run([Self.scenario, "--", "sh", "-c", script]).0 == end)
  }

  @Test(arguments: [
    (["/nonexistent"], 1, "/nonexistent: no such file"), ([], 2, "SCENARIO is missing"),
    ([scenario, "--", "/nonexistent"], 1, "cannot start /nonexistent"),
    (["--beside", "'", scenario], 2, "expected words"),
  ])
  func mistakesAreSaid(arguments: [String], status: Int32, words: String) async throws {
    let (end, transcript) = try await run(arguments)
    #expect(end == .exited(status: status))
    #expect(transcript.contains(words), "\(transcript)")
  }

  @Test func aCompanionIsStoppedAtTheEnd() async throws {
    let fifo = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try #require(mkfifo(fifo, 0o600) == 0)
    defer { unlink(fifo) }
    let companion =
      "sh -c 'trap \"echo stopped; exit\" TERM; echo begun >\(fifo); while :; do sleep 0.02; done'"
    let (end, transcript) = try await run([
      "--beside", companion, Self.scenario, "--", "sh", "-c", "cat \(fifo); exit 3",
    ])
    #expect(end == .exited(status: 3))
    #expect(transcript == "begun\nstopped")
  }

  @Test func withoutACommandItServesUntilItIsTold() async throws {
    try await onLoop { loop in
      let program = try RunningProgram(
        "radio-simulator", [Self.scenario], busAddress: "", loop: loop)
      let line = try #require(await program.line { $0.hasPrefix("DBUS_SYSTEM_BUS_ADDRESS=") })
      let address = String(line.drop { $0 != "=" }.dropFirst())
      let client = try await Connection.open(.address(address), loop: loop)
      let control = "io.github.wifi_provisioning.RadioSimulator1"
      let path = ObjectPath(literal: "/io/github/wifi_provisioning/RadioSimulator1")
      let adapter = ObjectPath(literal: "/org/bluez/hci0")
      _ = try await client.call(
        control, path, control, "SetPowered", [.string("hci0"), .boolean(false)])
      #expect(
        try await client.property("Powered", of: "org.bluez.Adapter1", "org.bluez", adapter)
          == .boolean(false))
      let error = await #expect(throws: BusError.self) {
        try await client.call(control, path, control, "DropLinks", [.string("zero")])
      }
      #expect(error?.name == BusError.Name.invalidArguments)
      await client.close()
      program.send(signal: SIGTERM)
      #expect(await program.end() == .exited(status: 0))
    }
  }
}
