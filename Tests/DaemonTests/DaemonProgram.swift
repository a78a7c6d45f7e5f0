import DeviceState
import Foundation
import TestSupport
import Testing

/// A run of the built program.
struct ProgramOutcome {
  let status: Int32
  let output: String
  let errors: String
}

/// The program that was built beside the tests.
var programURL: URL {
  get throws {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: own).deletingLastPathComponent()
      .appendingPathComponent("wifi-provisiond")
  }
}

/// Runs the built `wifi-provisiond` to its end, with this input and nothing in its environment
/// but what is given.
func runDaemonProgram(
  _ arguments: [String], environment: [String: String] = [:], input: String = ""
) throws -> ProgramOutcome {
  let process = Process()
  process.executableURL = try programURL
  process.arguments = arguments
  process.environment = environment
  // Files and not pipes: a pipe stays open as long as a program that another test started
  // meanwhile, which inherits it.
  let files = try [input, "", ""].map { try temporaryFile($0) }
  defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
  process.standardInput = FileHandle(forReadingAtPath: files[0])
  process.standardOutput = FileHandle(forWritingAtPath: files[1])
  process.standardError = FileHandle(forWritingAtPath: files[2])
  try process.run()
  process.waitUntilExit()
  let secrets = KnownSecrets()
  for line in input.split(separator: "\n") { secrets.add(Array(line.utf8), as: "the input") }
  if let option = arguments.firstIndex(of: "--state"),
    let stored = try? StateFolder(arguments[option + 1]).storedCode()
  {
    secrets.add(stored)
  }
  let texts = try files.dropFirst().map { try String(contentsOfFile: $0, encoding: .utf8) }
  // The label is for standard output; nothing secret is for the log.
  #expect(secrets.found(in: texts[1]).isEmpty)
  return ProgramOutcome(status: process.terminationStatus, output: texts[0], errors: texts[1])
}

/// Makes a file with this text; the caller removes it.
func temporaryFile(_ text: String) throws -> String {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
  try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  return path
}
