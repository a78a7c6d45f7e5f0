import DBus
import DeviceState
import Foundation
import MainLoop
import ProvisioningProtocol
import RadioSimulator
import Synchronization
import TestSupport
import Testing

@testable import wifi_provisiond

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

    /// Reads on until a line has this text; false when the daemon ends first, or says nothing
    /// for a minute.
    func says(_ text: String) -> Bool {
      while true {
        while let end = rest.firstIndex(of: 0x0a) {
          let line = String(decoding: rest[..<end], as: UTF8.self)
          rest = Data(rest[(end + 1)...])
          lines.append(line)
          if line.contains(text) { return true }
        }
        var ready = pollfd(
          fd: log.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 60_000) > 0 else { return false }
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
        .merging(own) { _, own in own }
        .map { "\($0.key)=\($0.value)" }
    }
    private var own: [String: String] {
      ["DBUS_SYSTEM_BUS_ADDRESS": bus, "RUNTIME_DIRECTORY": folder + "/run"]
    }

    func run(_ command: [String]) throws -> ProgramOutcome {
      try runDaemonProgram(arguments + command, environment: own)
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
      try writeProgram("echo it is $PROVISIONING_EVENT", at: hooks + "/opened")
      try Data(
        "[provisioning]\nmode = always\n[device]\nid = 0123456789ab\nhooks = \(hooks)\n".utf8
      ).write(to: URL(fileURLWithPath: bench.configuration))
      let daemon = try Daemon(on: bench)
      #expect(daemon.says("it is opened"))
      #expect(await daemon.stop() == .exited(status: 0))
    }
  }

  /// What the person at the device is answered, where there is neither Bluetooth nor Wi-Fi.
  @Test func theDaemonAnswersThePersonAtTheDevice() async throws {
    try await withBench { bench in
      #expect(try bench.run(["status"]).errors.contains("no daemon runs"))
      #expect(try bench.run(["status"]).status == 1)
      try Data("[provisioning]\nmode = manual\n[device]\nid = 0123456789ab\n".utf8)
        .write(to: URL(fileURLWithPath: bench.configuration))
      let daemon = try Daemon(on: bench)
      try #require(daemon.says("closed, until somebody at the device opens it"))
      let client = try await Connection.open(.address(bench.bus), loop: bench.loop)
      while try await client.isMissing(ControlBus.name) {
        try await bench.loop.sleep(for: .milliseconds(5))
      }
      let closed = try bench.run(["status"])
      #expect(closed.status == 0)
      #expect(closed.output.contains("closed, until somebody at the device opens it\n"))
      #expect(try bench.run(["open", "--for", "600"]).status == 0)
      #expect(daemon.says("open, for somebody at the device opened it"))
      let open = try bench.run(["status", "--json"]).output
      #expect(open.contains(#""open":true"#))
      #expect(open.contains(#""closes_in":59"#) || open.contains(#""closes_in":600"#))
      #expect(try bench.run(["close"]).status == 0)
      #expect(daemon.says("closed, for somebody at the device closed it"))
      let identified = try bench.run(["identify"])
      #expect(identified.status == 1)
      #expect(identified.errors.contains("nothing to be noticed by"))
      #expect(try bench.run(["forget", String(repeating: "x", count: 33)]).status == 1)
      let forgotten = try bench.run(["forget", "Home"])
      #expect(forgotten.status == 1)
      #expect(forgotten.errors.contains("NetworkManager"))
      #expect(await daemon.stop() == .exited(status: 0))
      await client.close()
    }
  }

  /// Where nothing else is on the bus.
  @Test func theDoctorSaysWhatIsMissing() async throws {
    try await withBench { bench in
      let found = try bench.run(["doctor"])
      #expect(found.status == 1)
      for text in [
        "ok       The configuration is right\n", "warning  The daemon does not run",
        "error    bluetoothd does not run\n         → Install bluez",
        "error    NetworkManager does not run\n         → Install network-manager",
      ] { #expect(found.output.contains(text)) }
      let lines = try bench.run(["doctor", "--json"]).output.split(separator: "\n")
      for line in lines {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object.map { Set($0.keys) } == ["check", "level", "text", "advice"])
      }
      #expect(lines.contains { $0.hasPrefix(#"{"check":"network-manager","level":"error""#) })
    }
  }

  /// What other programs on the device see, and do.
  @Test func programsControlTheDaemonOverTheBus() async throws {
    try await withBench { bench in
      let client = try await Connection.open(.address(bench.bus), loop: bench.loop)
      let signals = Mutex<[String]>([])
      let subscription = try await client.subscribe(
        MatchRule(sender: ControlBus.name, path: ControlBus.path)
      ) { message in signals.withLock { $0.append(message.member) } }
      let daemon = try Daemon(on: bench)
      try #require(daemon.says("a setup code was made"))
      let folder = try StateFolder(bench.state)
      let first = try #require(try folder.storedCode()?.code)
      while try await client.isMissing(ControlBus.name) {
        try await bench.loop.sleep(for: .milliseconds(5))
      }
      func call(_ method: String, _ arguments: [Value]) async throws -> [Value] {
        try await client.call(
          ControlBus.name, ControlBus.path, ControlBus.interface, method, arguments)
      }
      // In force once the call is answered.
      let new = SetupCode.random()
      _ = try await call("SetCode", [.string(new.label)])
      #expect(try folder.storedCode()?.code == new)
      #expect(new != first)
      #expect(daemon.says("setup code has changed"))
      for (method, arguments) in [
        ("SetCode", [.string("123-456-789")]), ("SetCode", [.string("")]),
        ("Open", [.int64(-2)]), ("Open", [.int64(.max)]), ("Forget", [.bytes([])]),
        ("Forget", [.bytes([UInt8](repeating: 1, count: 33))]), ("Open", [.string("soon")]),
      ] as [(String, [Value])] {
        let refusal = await #expect(throws: BusError.self) {
          _ = try await call(method, arguments)
        }
        #expect(refusal?.name == BusError.Name.invalidArguments, "\(method)(\(arguments))")
      }
      #expect(try folder.storedCode()?.code == new)
      _ = try await call("Open", [.int64(-1)])
      _ = try await call("Close", [])
      let xml = try await client.call(
        ControlBus.name, ControlBus.path, StandardInterface.introspectable, "Introspect"
      ).first?.asString
      #expect(xml?.contains(#"<arg name="seconds" type="x" direction="in"/>"#) == true)
      #expect(xml?.contains("Opens the device to provisioners") == true)
      while signals.withLock({ !$0.contains("Closed") }) {
        try await bench.loop.sleep(for: .milliseconds(5))
      }
      #expect(signals.withLock { $0.contains("Opened") && $0.contains("PropertiesChanged") })
      subscription.cancel()
      #expect(await daemon.stop() == .exited(status: 0))
      await client.close()
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

extension Connection {
  /// Whether nobody has the name.
  fileprivate func isMissing(_ name: String) async throws -> Bool {
    do throws(BusError) {
      _ = try await userID(of: name)
      return false
    } catch {
      guard error.isServiceMissing else { throw error }
      return true
    }
  }
}
