internal import CommandLineOptions
internal import Glibc

@main
struct Main {
  static func main() {
    // Without a reader a write fails instead, and the device is disconnected first.
    signal(SIGPIPE, SIG_IGN)
    let output = Output()
    let settings = understand(arguments(), output)
    hideSetupCode()
    let reporter: any Reporter =
      settings.json
      ? JSONReporter(output: output)
      : TextReporter(output: output, isTerminal: isatty(STDOUT_FILENO) == 1)
    do throws(SecretError) {
      let job = try Job(settings) { output.writeError("wifi-provision: warning: \($0)\n") }
      exit(Run(settings: settings, output: output, reporter: reporter)(job))
    } catch {
      let result = CommandResult(error)
      reporter.finish(result)
      exit(result.exitCode.rawValue)
    }
  }

  /// The arguments without the program's own name, as the shell passed them.
  private static func arguments() -> [[UInt8]] {
    UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst()
      .compactMap { $0.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } }
  }

  /// Overwrites a setup code among the arguments, which every user of the machine can read.
  ///
  /// Between the start and here they could, so the other ways to give it are better.
  private static func hideSetupCode() {
    var isCode = false
    for case let argument? in UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    {
      let text = String(cString: argument)
      var hidden = UnsafeMutableBufferPointer(start: argument, count: strlen(argument))[...]
      if text.hasPrefix("--code=") {
        hidden = hidden.dropFirst(7)
      } else if !isCode, !text.lowercased().hasPrefix("wifiprov:") {
        hidden = hidden.prefix(0)
      }
      for index in hidden.indices { hidden.base[index] = CChar(UInt8(ascii: "x")) }
      isCode = text == "--code"
    }
  }

  /// Ends the process where there is nothing to do, or no understanding what.
  private static func understand(_ arguments: [[UInt8]], _ output: Output) -> Settings {
    do throws(UsageError) {
      switch try Settings.program.parse(arguments) {
      case .run(let invocation): return try Settings(invocation)
      case .print(let text):
        output.write(text)
        exit(ExitCode.done.rawValue)
      }
    } catch {
      // Who asked for lines of JSON gets the last one.
      if arguments.contains(Array("--json".utf8)) {
        JSONReporter(output: output).finish(.usage(error.message))
      }
      exit(Settings.program.report(error))
    }
  }
}
