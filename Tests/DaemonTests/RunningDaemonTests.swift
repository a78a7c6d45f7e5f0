import DeviceState
import Foundation
import MainLoop
import ProvisioningProtocol
import RadioSimulator
import TestSupport
import Testing

/// The commands while the daemon runs, on a bus where nothing else is.
@Suite struct RunningDaemonTests {
  /// A daemon whose log is read line by line.
  private final class Daemon {
    private let process: ChildProcess
    private let state: String
    private let log = Pipe()
    private var rest = Data()
    private(set) var lines: [String] = []

    init(on bench: Bench) throws {
      state = bench.state
      // Not for the programs that other tests start meanwhile.
      _ = fcntl(log.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
      // Foundation's would inherit the blocked signals of the thread that starts it.
      process = try ChildProcess(
        [try programURL.path, "--verbose"] + bench.arguments + ["run"],
        environment: bench.environment,
        standardError: log.fileHandleForWriting.fileDescriptor, loop: bench.loop)
      try log.fileHandleForWriting.close()
    }

    deinit { process.send(signal: SIGKILL) }

    /// Reads on until a line has this text; false when the daemon ends first.
    func says(_ text: String) -> Bool {
      while true {
        while let end = rest.firstIndex(of: 0x0a) {
          let line = String(decoding: rest[..<end], as: UTF8.self)
          rest = Data(rest[(end + 1)...])
          lines.append(line)
          if line.contains(text) { return true }
        }
        let more = log.fileHandleForReading.availableData
        if more.isEmpty { return false }
        rest += more
      }
    }

    func stop() async -> ChildProcess.End {
      process.send(signal: SIGTERM)
      let end = await process.end()
      // To the log's end, for no line has this in it.
      _ = says("\n")
      // The log is no place for the code, nor for what it is recognized by.
      let secrets = KnownSecrets()
      if let stored = try? StateFolder(state).storedCode() { secrets.add(stored) }
      #expect(secrets.found(in: lines.joined(separator: "\n")).isEmpty)
      return end
    }
  }

  /// A bus, a configuration, and a state folder that is not there yet.
  private struct Bench: Sendable {
    let loop: MainLoop
    let bus: String
    let folder: String

    var state: String { folder + "/state" }
    var configuration: String { folder + "/device.conf" }
    var arguments: [String] { ["--config", configuration, "--state", state] }
    /// The tests' own and the bus: a sanitizer is told there what it has to do.
    var environment: [String] {
      ProcessInfo.processInfo.environment
        .merging(["DBUS_SYSTEM_BUS_ADDRESS": bus]) { _, bus in bus }
        .map { "\($0.key)=\($0.value)" }
    }

    func run(_ command: [String]) throws -> ProgramOutcome {
      try runDaemonProgram(
        arguments + command, environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus])
    }
  }

  private func withBench(_ body: @escaping @Sendable (Bench) async throws -> Void) async throws {
    try await onPrivateBus { loop, bus in
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(at: folder) }
      let bench = Bench(loop: loop, bus: bus.address, folder: folder.path)
      try Data("[device]\nid = 0123456789ab\n".utf8)
        .write(to: URL(fileURLWithPath: bench.configuration))
      try await body(bench)
    }
  }

  @Test func theFirstStartMakesACodeThatTheLabelShows() async throws {
    try await withBench { bench in
      let daemon = try Daemon(on: bench)
      #expect(daemon.says("a setup code was made"))
      let label = try bench.run(["label"])
      #expect(label.status == 0)
      #expect(await daemon.stop() == .exited(status: 0))
      let code = try #require(try StateFolder(bench.state).storedCode()?.code?.label)
      #expect(label.output.contains(code))
    }
  }

  @Test func theDaemonIsToldOfCommands() async throws {
    try await withBench { bench in
      let daemon = try Daemon(on: bench)
      try #require(daemon.says("a setup code was made"))
      let folder = try StateFolder(bench.state)
      try folder.save(wrongGuesses: 6)
      #expect(try bench.run(["open"]).status == 0)
      #expect(daemon.says("wrong setup codes are forgiven"))
      #expect(try folder.wrongGuesses() == 0)
      #expect(try bench.run(["set-code", "--generate"]).status == 0)
      #expect(daemon.says("setup code has changed"))
      #expect(await daemon.stop() == .exited(status: 0))
    }
  }

  @Test func hooksAreRunAndTheirOutputIsInTheLog() async throws {
    try await withBench { bench in
      let hooks = bench.folder + "/hooks"
      try FileManager.default.createDirectory(
        atPath: hooks, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
      _ = FileManager.default.createFile(
        atPath: hooks + "/opened", contents: Data("#!/bin/sh\necho it is $PROVISIONING_EVENT".utf8),
        attributes: [.posixPermissions: 0o755])
      try Data(
        "[provisioning]\nmode = always\n[device]\nid = 0123456789ab\nhooks = \(hooks)\n".utf8
      ).write(to: URL(fileURLWithPath: bench.configuration))
      let daemon = try Daemon(on: bench)
      #expect(daemon.says("it is opened"))
      #expect(await daemon.stop() == .exited(status: 0))
    }
  }

  @Test func twoDaemonsDoNotShareAFolder() async throws {
    try await withBench { bench in
      let daemon = try Daemon(on: bench)
      try #require(daemon.says("a setup code was made"))
      let second = try bench.run(["run"])
      #expect(second.status == 78)
      #expect(second.errors.contains("in use by the daemon with process id"))
      #expect(await daemon.stop() == .exited(status: 0))
    }
  }

  @Test func pairedLinksNeedNoSetupCode() async throws {
    try await withBench { bench in
      try Data("[provisioning]\nsecurity = link\n[device]\nid = 0123456789ab\n".utf8)
        .write(to: URL(fileURLWithPath: bench.configuration))
      let daemon = try Daemon(on: bench)
      #expect(daemon.says("Bluetooth cannot be used"))
      #expect(await daemon.stop() == .exited(status: 0))
      #expect(!FileManager.default.fileExists(atPath: bench.state))
    }
  }
}
