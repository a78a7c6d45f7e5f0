import Foundation
import Glibc
import MainLoop
import TestSupport
import Testing

/// A program under test: what it prints, line by line, and how it ends.
final class RunningProgram: Sendable {
  private let child: ChildProcess
  private let secrets: KnownSecrets
  private let showsCode: Bool
  private let output: LineReader
  private let errors: LineReader

  /// Starts a built program on the simulator's bus.
  ///
  /// - Parameters:
  ///   - input: a line for its standard input, which then ends.
  ///   - secrets: what must not be in anything that it prints.
  ///   - showsCode: whether its standard output is for the setup code, and not searched.
  init(
    _ name: String, _ arguments: [String], busAddress: String, input: String? = nil,
    secrets: KnownSecrets = KnownSecrets(), showsCode: Bool = false, loop: MainLoop
  ) throws {
    self.secrets = secrets
    self.showsCode = showsCode
    var environment = ProcessInfo.processInfo.environment
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = busAddress
    let (standardInput, standardOutput, standardError) = (
      try Self.pipe(), try Self.pipe(), try Self.pipe()
    )
    child = try ChildProcess(
      [Self.folder + "/" + name] + arguments,
      environment: environment.map { "\($0.key)=\($0.value)" },
      standardInput: standardInput.reading.fileDescriptor,
      standardOutput: standardOutput.writing.fileDescriptor,
      standardError: standardError.writing.fileDescriptor, loop: loop)
    try standardInput.reading.close()
    try standardOutput.writing.close()
    try standardError.writing.close()
    if let input { try standardInput.writing.write(contentsOf: Data((input + "\n").utf8)) }
    try standardInput.writing.close()
    output = LineReader(standardOutput.reading)
    errors = LineReader(standardError.reading)
  }

  /// Where the built programs are: beside the one that runs the tests.
  private static var folder: String {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return program.deletingLastPathComponent().path
  }

  /// A pipe that the programs of other tests do not inherit, which would keep it open.
  private static func pipe() throws -> (reading: FileHandle, writing: FileHandle) {
    var ends: [Int32] = [-1, -1]
    // A socket, since those can be made so that no program inherits them at any moment.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw CocoaError(.fileReadUnknown) }
    return (
      FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    )
  }

  /// The names of its threads at the moment.
  var threadNames: [String] {
    get throws {
      let folder = "/proc/\(child.id)/task"
      return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { thread in
        // A thread may end between the two calls.
        (try? String(contentsOfFile: "\(folder)/\(thread)/comm", encoding: .utf8))?
          .trimmingCharacters(in: .newlines)
      }
    }
  }

  // A test that fails leaves no program behind.
  deinit { child.send(signal: SIGKILL) }

  func send(signal: Int32) { child.send(signal: signal) }

  /// Waits for its end, and for all that it printed, in which no secret may be.
  func end() async -> ChildProcess.End {
    let end = await child.end()
    _ = await output.first { _ in false }
    _ = await errors.first { _ in false }
    let found = secrets.found(in: showsCode ? errors.lines.joined(separator: "\n") : transcript)
    #expect(found.isEmpty, "\(transcript)")
    return end
  }

  /// The objects that it printed so far.
  var events: [Event] { output.lines.compactMap { Event($0) } }

  /// All that it printed so far.
  var transcript: String { (output.lines + errors.lines).joined(separator: "\n") }

  /// Waits for an object, an earlier one too; nil when the program ends without it.
  func event(where matches: (Event) -> Bool) async -> Event? {
    await output.first { Event($0).map(matches) ?? false }.flatMap { Event($0) }
  }

  /// Waits for a line of its standard output; nil when the program ends without it.
  func line(where matches: (String) -> Bool) async -> String? {
    await output.first(where: matches)
  }

  /// Waits for a line of its standard error that has a text in it; false when it ends without.
  func says(_ text: String) async -> Bool {
    await errors.first { $0.contains(text) } != nil
  }
}
