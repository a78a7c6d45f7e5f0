import CommandLineOptions
import Testing

private let json = Option.flag("json", short: "j", summary: "Prints JSON")
private let ssid = Option.bytes("ssid", placeholder: "SSID", summary: "Names the network")
private let timeout = Option.integer(
  "timeout", short: "t", placeholder: "SECONDS", summary: "Gives up after", in: 1...600)
private let adapter = Option.text("adapter", placeholder: "NAME", summary: "Names the adapter")

private let tool = Program(
  name: "tool", version: "1.2", summary: "Does things.", options: [json, adapter],
  commands: [
    Command("scan", summary: "Lists devices", options: [timeout]),
    Command(
      "connect", summary: "Joins a network", options: [ssid, timeout], operands: ["DEVICE"],
      epilogue: "Ends well."),
    Command("copy", summary: "Copies", operands: ["FROM"], optionalOperand: "TO"),
  ],
  epilogue: "Exit status:\n  0  fine")

private let wrapper = Program(
  name: "wrapper", version: "1", summary: "Wraps.", options: [json], operands: ["FILE"],
  trailing: "COMMAND")

private func invocation(_ program: Program, _ arguments: String...) throws -> Invocation {
  switch try program.parse(arguments.map { Array($0.utf8) }) {
  case .run(let invocation): return invocation
  case .print(let text):
    Issue.record("printed \(text)")
    throw UsageError("printed")
  }
}

private func printed(_ program: Program, _ arguments: String...) throws -> String {
  switch try program.parse(arguments.map { Array($0.utf8) }) {
  case .run: return "ran"
  case .print(let text): return text
  }
}

@Suite struct ProgramTests {
  @Test func optionsMayStandBeforeAndAfterTheCommandAndItsOperand() throws {
    let found = try invocation(
      tool, "--adapter", "hci0", "connect", "--ssid=Home", "aabbccddeeff", "--json", "-t", "9")
    #expect(found.command == "connect")
    #expect(found.operands == [Array("aabbccddeeff".utf8)])
    #expect(found[adapter] == "hci0")
    #expect(found[ssid] == Array("Home".utf8))
    #expect(found[timeout] == 9)
    #expect(found[json])
  }

  @Test func whatIsNotGivenIsNil() throws {
    let found = try invocation(tool, "scan")
    #expect(!found[json])
    #expect(found[timeout] == nil)
    #expect(found[adapter] == nil)
  }

  @Test func theLastValueCounts() throws {
    let found = try invocation(tool, "--adapter", "a", "scan", "--adapter", "b", "--adapter=c")
    #expect(found[adapter] == "c")
  }

  @Test func bytesNeedNotBeText() throws {
    let request = try tool.parse([
      Array("connect".utf8), Array("--ssid".utf8), [0xff, 0x27, 0xfe], [0xf0],
    ])
    guard case .run(let found) = request else {
      Issue.record("did not run")
      return
    }
    #expect(found[ssid] == [0xff, 0x27, 0xfe])
    #expect(found.operands == [[0xf0]])
  }

  @Test func afterTwoDashesEverythingIsAnOperand() throws {
    let found = try invocation(tool, "connect", "--", "--json")
    #expect(found.operands == [Array("--json".utf8)])
    #expect(!found[json])
  }

  @Test func aTrailingCommandKeepsItsOwnOptions() throws {
    let found = try invocation(wrapper, "--json", "room.scenario", "--", "sh", "-c", "--", "x")
    #expect(found[json])
    #expect(found.operands == [Array("room.scenario".utf8)])
    #expect(found.trailing == ["sh", "-c", "--", "x"].map { Array($0.utf8) })
    #expect(try invocation(wrapper, "room.scenario", "sh", "--json").trailing.count == 2)
    #expect(try invocation(wrapper, "room.scenario").trailing.isEmpty)
  }

  @Test(
    arguments: [
      (["--wrong", "scan"], "Unknown option --wrong", nil),
      (["scan", "--wrong"], "Unknown option --wrong", "scan"),
      (["connect", "--ssid"], "Missing argument for --ssid", "connect"),
      (["connect"], "DEVICE is missing", "connect"),
      (["scan", "extra"], "unexpected argument ‘extra’", "scan"),
      (["dance"], "unknown command ‘dance’", nil),
      ([], "a command is missing", nil),
      (
        ["scan", "--timeout", "0"],
        "invalid value ‘0’ for --timeout: expected a whole number from 1 to 600", "scan"
      ),
      (
        ["scan", "-t", "1s"],
        "invalid value ‘1s’ for --timeout: expected a whole number from 1 to 600", "scan"
      ),
    ] as [([String], String, String?)])
  func errorsSayWhatIsWrong(arguments: [String], message: String, command: String?) {
    #expect(throws: UsageError(message, command: command)) {
      try tool.parse(arguments.map { Array($0.utf8) })
    }
  }

  @Test func textHasToBeUTF8() {
    #expect(throws: UsageError("invalid value ‘\u{fffd}’ for --adapter: expected UTF-8 text")) {
      try tool.parse([Array("--adapter".utf8), [0xff], Array("scan".utf8)])
    }
  }

  @Test func helpNamesCommandsOptionsAndEpilogue() throws {
    let text = try printed(tool, "--help")
    #expect(text.hasPrefix("Usage:\n  tool [OPTION…] COMMAND\n\nDoes things."))
    #expect(
      text.contains("\n  scan     Lists devices\n  connect  Joins a network\n  copy     Copies\n"))
    #expect(text.contains("-j, --json"))
    #expect(text.contains("--version"))
    #expect(text.hasSuffix("Exit status:\n  0  fine\n"))
  }

  @Test func helpOfACommandIsItsOwn() throws {
    let text = try printed(tool, "connect", "--help")
    #expect(text.hasPrefix("Usage:\n  tool connect [OPTION…] DEVICE\n\nJoins a network"))
    #expect(text.contains("--ssid=SSID"))
    #expect(text.contains("--adapter=NAME"))
    #expect(text.hasSuffix("Ends well.\n"))
    #expect(try printed(tool, "-h").contains("Commands:"))
  }

  @Test func anOperandMayBeOptional() throws {
    #expect(try invocation(tool, "copy", "a").operands == [Array("a".utf8)])
    #expect(try invocation(tool, "copy", "a", "b").operands == [Array("a".utf8), Array("b".utf8)])
    for arguments in [["copy"], ["copy", "a", "b", "c"]] {
      #expect(throws: UsageError.self) { try tool.parse(arguments.map { Array($0.utf8) }) }
    }
    #expect(try printed(tool, "copy", "--help").contains("tool copy [OPTION…] FROM [TO]"))
  }

  @Test func theVersionIsOneLine() throws {
    #expect(try printed(tool, "--version") == "tool 1.2\n")
  }
}
