internal import CommandLineOptions
internal import Diagnostics
internal import Glibc
internal import KeyFile
internal import MainLoop

@main
struct Main {
  static func main() {
    let invocation = Arguments.program.parseOrExit()
    let log = Log.standardError(threshold: invocation[Arguments.verbose] ? .debug : .info)
    let path = invocation[Arguments.config]
    let isCheck = invocation[Arguments.checkConfig]
    guard isCheck || invocation.command != nil else {
      exit(Arguments.program.report(UsageError("a command is missing")))
    }
    let configuration: Configuration
    do {
      configuration = try Configuration(path: path)
    } catch {
      for problem in error.problems { log.error(problem.description) }
      exit(ExitStatus.configuration.rawValue)
    }
    if isCheck { exit(ExitStatus.success.rawValue) }
    let loop = MainLoop()
    exit(
      loop.run { _ in await Daemon(loop: loop, path: path, log: log).run(configuration).rawValue })
  }
}
