internal import CommandLineOptions
internal import Diagnostics
internal import Glibc
internal import KeyFile
internal import MainLoop

@main
struct Main {
  static func main() {
    let invocation = Arguments.program.parseOrExit()
    let log = Log.standardError(
      threshold: invocation[Arguments.verbose] ? .debug : .info, program: "wifi-provisiond")
    let files = ConfigurationFiles(
      path: invocation[Arguments.config], stateFolder: invocation[Arguments.state])
    let isCheck = invocation[Arguments.checkConfig]
    guard isCheck || invocation.command != nil else {
      exit(Arguments.program.report(UsageError("a command is missing")))
    }
    let configuration: Configuration
    do {
      configuration = try files.read()
    } catch {
      for problem in error.problems { log.error(problem.description) }
      exit(ExitStatus.configuration.rawValue)
    }
    if isCheck { exit(ExitStatus.success.rawValue) }
    if invocation.command == Arguments.run {
      let loop = MainLoop()
      exit(
        loop.run { _ in
          await Daemon(loop: loop, files: files, log: log).run(configuration).rawValue
        })
    }
    exit(command(invocation, configuration, log))
  }

  /// Does what the person at the device asks for; returns the exit status.
  private static func command(
    _ invocation: Invocation, _ configuration: Configuration, _ log: Log
  ) -> Int32 {
    do {
      switch invocation.command {
      case Arguments.setCode:
        let source = try CodeSource(invocation, isTerminal: isatty(STDIN_FILENO) == 1)
        try configuration.setCode(try source.code())
          .output(png: invocation[Arguments.png], svg: invocation[Arguments.svg])
      case Arguments.label:
        try configuration.label()
          .output(png: invocation[Arguments.png], svg: invocation[Arguments.svg])
      case Arguments.doctor:
        return Doctor(configuration: configuration).run(json: invocation[Arguments.json])
      default: return try ControlCommands(invocation, configuration).run(log)
      }
      return ExitStatus.success.rawValue
    } catch let error as UsageError {
      return Arguments.program.report(error)
    } catch let error as CommandError {
      log.error(error.message)
    } catch {
      log.error("\(error)")
    }
    return ExitStatus.failure.rawValue
  }
}
