import Foundation
import Synchronization
import TestSupport
import Testing

/// The program in a process of its own, on a bus of the test's.
///
/// Its streams are files: a pipe's ends would leak into what other tests start at the same time,
/// and never end.
final class RunningProgram: Sendable {
  private let directory: URL
  private let identifier: pid_t
  private let ended = EndOfProcess()
  private let secrets = KnownSecrets()

  /// Where the built program is: beside the one that runs the tests.
  static var path: String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("wifi-provision").path
  }

  /// Starts it; it says all that it does.
  ///
  /// - Parameter bus: the address of the system bus that it finds.
  init(_ arguments: [String], bus: String, input: String = "") throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    for (name, content) in [("input", input), ("output", ""), ("errors", "")] {
      try Data(content.utf8).write(to: directory.appendingPathComponent(name))
    }
    secrets.add(code: "314-159-266")
    for line in input.split(separator: "\n") { secrets.add(Array(line.utf8), as: "the input") }
    let process = Process()
    // The threads that tests run on block signals, and children inherit that.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["--default-signal=INT,TERM", Self.path, "--verbose"] + arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["DBUS_SYSTEM_BUS_ADDRESS": bus]) { _, own in own }
    process.standardInput = try FileHandle(
      forReadingFrom: directory.appendingPathComponent("input"))
    process.standardOutput = try FileHandle(
      forWritingTo: directory.appendingPathComponent("output"))
    process.standardError = try FileHandle(
      forWritingTo: directory.appendingPathComponent("errors"))
    process.terminationHandler = { [ended] in ended.set($0.terminationStatus) }
    try process.run()
    identifier = process.processIdentifier
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// Sends a signal.
  func send(_ signal: Int32) { _ = kill(identifier, signal) }

  /// Its arguments as every user can read them at the moment.
  var commandLine: String {
    get throws {
      try String(contentsOfFile: "/proc/\(identifier)/cmdline", encoding: .utf8)
    }
  }

  /// Waits for a text on standard error, or for the end.
  func errors(containing text: String) async throws {
    while !errors.contains(text), ended.status == nil {
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Waits for a text on standard output, or for the end.
  func output(containing text: String) async throws {
    while !lines.contains(where: { $0.contains(text) }), ended.status == nil {
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Waits for the end; no secret may be in what it printed.
  ///
  /// - Returns: the status that the process ended with.
  func status() async throws -> Int32 {
    while true {
      if let status = ended.status {
        #expect(secrets.found(in: text("output") + errors).isEmpty)
        return status
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// The lines of standard output so far.
  var lines: [String] { text("output").split(separator: "\n").map(String.init) }

  /// Standard error so far.
  var errors: String { text("errors") }

  private func text(_ name: String) -> String {
    let data = try? Data(contentsOf: directory.appendingPathComponent(name))
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}

/// The status of a process, once it has ended.
private final class EndOfProcess: Sendable {
  private let value = Mutex<Int32?>(nil)
  var status: Int32? { value.withLock { $0 } }
  func set(_ status: Int32) { value.withLock { $0 = status } }
}
