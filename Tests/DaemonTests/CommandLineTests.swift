import Foundation
import Testing

/// The program as its users call it.
@Suite struct CommandLineTests {
  private func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> ProgramOutcome {
    try runDaemonProgram(arguments, environment: environment)
  }

  private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
    let path = try temporaryFile(text)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  @Test func aRightConfigurationPasses() throws {
    try withFile("[provisioning]\nsecurity = open\n") { path in
      let outcome = try run("--check-config", "--config", path)
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
    }
  }

  @Test func theExampleConfigurationPasses() throws {
    let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../packaging/wifi-provisiond.conf").path
    #expect(try run("--check-config", "--config", example).status == 0)
    let text = try String(contentsOfFile: example, encoding: .utf8)
    let uncommented = text.split(separator: "\n").map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst() : line
    }.joined(separator: "\n")
    try withFile(uncommented) { path in
      let outcome = try run("--check-config", "--config", path)
      #expect(outcome.errors == "")
    }
  }

  @Test func problemsAreNamedWithFileLineAndKey() throws {
    try withFile("[device]\nname = x\nnmae = y\n[wifi]\ninterface = a/b\n") { path in
      for outcome in [
        try run("--check-config", "--config", path), try run("run", "--config", path),
      ] {
        #expect(outcome.status == 78)
        #expect(
          outcome.errors == """
            error: \(path):3: [device] nmae: unknown key
            error: \(path):5: [wifi] interface: expected an interface’s name such as wlan0

            """)
      }
    }
  }

  @Test func aMissingFileIsNamed() throws {
    let outcome = try run("run", "--config", "/nonexistent/c.conf")
    #expect(outcome.status == 78)
    #expect(outcome.errors == "error: /nonexistent/c.conf: no such file\n")
  }

  @Test func withoutABusTheDaemonSaysSo() throws {
    try withFile("[device]\nid = 0123456789ab\n") { path in
      let outcome = try run(
        "run", "--config", path,
        environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
      #expect(outcome.status == 1)
      #expect(outcome.errors.hasPrefix("error: the system bus cannot be used: "))
    }
  }

  @Test func wrongUsagePointsToTheHelp() throws {
    for arguments in [[], ["--bogus"], ["dance"], ["run", "extra"]] {
      let outcome = try runDaemonProgram(arguments)
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("--help"))
    }
  }

  @Test func helpAndVersionAreForStandardOutput() throws {
    let help = try run("--help")
    #expect(help.status == 0)
    #expect(help.output.contains("--check-config"))
    #expect(help.output.contains("78  the configuration is wrong"))
    #expect(help.errors.isEmpty)
    let version = try run("--version")
    #expect(version.output.hasPrefix("wifi-provisiond "))
    #expect(version.output.count { $0 == "\n" } == 1)
  }
}
