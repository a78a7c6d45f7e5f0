internal import Glibc

/// A program's command line: what it takes, its help, and its usage errors.
///
/// ```swift
/// let json = Option.flag("json", summary: "One JSON object a line")
/// let ssid = Option.bytes("ssid", placeholder: "SSID", summary: "The network's name")
/// let program = Program(
///   name: "wifi-provision", version: "1.0", summary: "Provisions a device.", options: [json],
///   commands: [
///     Command("scan", summary: "Lists devices"),
///     Command("connect", summary: "Joins a network", options: [ssid], operands: ["DEVICE"]),
///   ],
///   epilogue: "Exit status: …")
/// let invocation = program.parseOrExit()
/// if invocation[json] { … }
/// ```
///
/// The options of the program may stand before the subcommand and after it. Every program and
/// every subcommand has `-h`, `--help`; every program has `--version`.
package struct Program: Sendable {
  /// What a command line asks for.
  package enum Request: Sendable {
    /// Print this text and end with status 0.
    case print(String)
    /// Do what the program is for.
    case run(Invocation)
  }

  /// How the program is called.
  package let name: String
  /// What `--version` says after the name.
  package let version: String
  /// What stands on the command line of the program itself.
  private let root: Command
  private let commands: [Command]
  private let needsCommand: Bool

  /// Declares a program with subcommands.
  ///
  /// - Parameter needsCommand: whether a command line without a subcommand is an error.
  package init(
    name: String, version: String, summary: String, options: [any OptionDeclaration] = [],
    commands: [Command], needsCommand: Bool = true, epilogue: String? = nil
  ) {
    self.name = name
    self.version = version
    self.commands = commands
    self.needsCommand = needsCommand
    root = Command(name, summary: summary, options: options, epilogue: epilogue)
  }

  /// Declares a program without subcommands.
  ///
  /// - Parameters:
  ///   - operands: the names of the operands it must have, in capitals.
  ///   - trailing: the name of what may follow them; see ``Command/trailing``.
  package init(
    name: String, version: String, summary: String, options: [any OptionDeclaration] = [],
    operands: [String], trailing: String? = nil, epilogue: String? = nil
  ) {
    self.name = name
    self.version = version
    commands = []
    needsCommand = false
    root = Command(
      name, summary: summary, options: options, operands: operands, trailing: trailing,
      epilogue: epilogue)
  }

  /// Understands the arguments, without the program's own name.
  ///
  /// - Throws: what is wrong with them, for ``report(_:)``.
  package func parse(_ arguments: [[UInt8]]) throws(UsageError) -> Request {
    let help = Option.flag("help", short: "h", summary: "Show this help")
    let versionFlag = Option.flag("version", summary: "Show the version")
    let outer = try OptionParser(
      options: root.options + [help, versionFlag],
      stopsAtOperand: !commands.isEmpty || root.trailing != nil
    ).parse(arguments, command: nil)
    if outer.has(help) {
      return .print(self.help(of: nil, options: root.options + [help, versionFlag]))
    }
    if outer.has(versionFlag) { return .print("\(name) \(version)\n") }
    if commands.isEmpty { return .run(try invocation(of: root, outer, [:], name: nil)) }

    guard let word = outer.rest.first else {
      if needsCommand { throw UsageError("a command is missing") }
      return .run(Invocation(command: nil, operands: [], trailing: [], values: outer.values))
    }
    let wanted = String(decoding: word, as: UTF8.self)
    guard let command = commands.first(where: { $0.name == wanted }) else {
      throw UsageError("unknown command ‘\(wanted)’")
    }
    let options = command.options + root.options + [help]
    let inner = try OptionParser(options: options, stopsAtOperand: command.trailing != nil)
      .parse(Array(outer.rest.dropFirst()), command: wanted)
    if inner.has(help) { return .print(self.help(of: command, options: options)) }
    return .run(try invocation(of: command, inner, outer.values, name: wanted))
  }

  /// Understands the process's own arguments; prints what they ask for, or what is wrong with
  /// them, and ends the process where there is nothing to run.
  package func parseOrExit() -> Invocation {
    let count = Int(CommandLine.argc)
    let given = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: count).dropFirst()
    let arguments = given.compactMap {
      $0.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
    do {
      switch try parse(arguments) {
      case .run(let invocation): return invocation
      case .print(let text):
        Self.write(text, to: STDOUT_FILENO)
        exit(0)
      }
    } catch {
      exit(report(error))
    }
  }

  /// Says on standard error what is wrong and where to read more.
  ///
  /// - Returns: the exit status for a usage error.
  package func report(_ error: UsageError) -> Int32 {
    let called = error.command.map { "\(name) \($0)" } ?? name
    Self.write(
      "\(name): \(error.message)\nTry ‘\(called) --help’ for more information.\n",
      to: STDERR_FILENO)
    return UsageError.exitStatus
  }

  private func invocation(
    of command: Command, _ parsed: ParsedArguments, _ outer: [String: any Sendable], name: String?
  ) throws(UsageError) -> Invocation {
    if parsed.rest.count < command.operands.count {
      throw UsageError("\(command.operands[parsed.rest.count]) is missing", command: name)
    }
    let possible = command.operands.count + (command.optionalOperand == nil ? 0 : 1)
    let count = min(parsed.rest.count, possible)
    var trailing = parsed.rest.dropFirst(count)
    if command.trailing == nil, let extra = trailing.first {
      let text = String(decoding: extra, as: UTF8.self)
      throw UsageError("unexpected argument ‘\(text)’", command: name)
    }
    if trailing.first == Array("--".utf8) { trailing = trailing.dropFirst() }
    return Invocation(
      command: name, operands: Array(parsed.rest.prefix(count)), trailing: Array(trailing),
      values: outer.merging(parsed.values) { _, later in later })
  }

  private func help(of command: Command?, options: [any OptionDeclaration]) -> String {
    let shown = command ?? root
    var parameters = shown.operands
    if let operand = shown.optionalOperand { parameters.append("[\(operand)]") }
    if let trailing = shown.trailing { parameters.append("[-- \(trailing)…]") }
    var summary = shown.summary
    if command == nil, !commands.isEmpty {
      parameters.append(needsCommand ? "COMMAND" : "[COMMAND]")
      let width = (commands.map(\.name.count).max() ?? 0) + 2
      summary += "\n\nCommands:"
      for command in commands {
        let gap = String(repeating: " ", count: width - command.name.count)
        summary += "\n  \(command.name)\(gap)\(command.summary)"
      }
      summary += "\n\n‘\(name) COMMAND --help’ shows the options of a command."
    }
    return OptionParser(options: options, stopsAtOperand: false).help(
      program: command.map { "\(name) \($0.name)" } ?? name,
      parameters: parameters.joined(separator: " "), summary: summary,
      epilogue: shown.epilogue)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        return
      }
      rest = rest.dropFirst(written)
    }
  }
}
