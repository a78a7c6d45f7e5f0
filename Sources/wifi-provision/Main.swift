internal import CommandLineOptions
internal import Glibc

@main
struct Main {
  static func main() {
    // Without a reader a write fails instead, and the device is disconnected first.
    signal(SIGPIPE, SIG_IGN)
    let output = Output()
    let settings = understand(arguments(), output)
    let reporter: any Reporter =
      settings.json
      ? JSONReporter(output: output)
      : TextReporter(output: output, isTerminal: isatty(STDOUT_FILENO) == 1)
    do throws(PasswordError) {
      let job = try Job(settings)
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
