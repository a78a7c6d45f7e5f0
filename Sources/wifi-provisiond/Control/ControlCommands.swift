internal import CommandLineOptions
internal import DBus
internal import Diagnostics
internal import Glibc
internal import MainLoop
internal import ProvisioningProtocol

/// The commands that ask the daemon which runs.
struct ControlCommands: Sendable {
  static let names: Set = [
    Arguments.status, Arguments.open, Arguments.close, Arguments.identify, Arguments.forget,
  ]

  private let invocation: Invocation
  private let configuration: Configuration
  /// What `forget` names.
  private let ssid: SSID?

  init(_ invocation: Invocation, _ configuration: Configuration) throws(CommandError) {
    self.invocation = invocation
    self.configuration = configuration
    do throws(SSID.FormatError) {
      ssid = try invocation.operands.first.map { name throws(SSID.FormatError) in try SSID(name) }
    } catch {
      throw CommandError("the name of a network has 1 to 32 bytes")
    }
  }

  /// Does what the command line asks for, and says what there is to say; returns the exit status.
  func run(_ log: Log) -> Int32 {
    let loop = MainLoop()
    return loop.run { _ in
      do throws(CommandError) {
        let text = try await self.answer(loop)
        _ = text.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
        return ExitStatus.success.rawValue
      } catch {
        log.error(error.message)
        return ExitStatus.failure.rawValue
      }
    }
  }

  private func answer(_ loop: MainLoop) async throws(CommandError) -> String {
    let client: ControlClient
    do throws(BusError) {
      client = ControlClient(bus: try await Connection.open(.system, loop: loop))
    } catch {
      if invocation.command == Arguments.open { return try forgiveGuesses() }
      throw CommandError("the system bus cannot be used: \(error.message)")
    }
    do throws(ControlClient.Failure) {
      return try await answer(client)
    } catch {
      if case .notRunning = error, invocation.command == Arguments.open {
        return try forgiveGuesses()
      }
      throw CommandError(error.message)
    }
  }

  private func answer(_ client: ControlClient) async throws(ControlClient.Failure) -> String {
    switch invocation.command {
    case Arguments.open: try await client.open(for: invocation[Arguments.length])
    case Arguments.close: try await client.close()
    case Arguments.identify: try await client.identify()
    case Arguments.forget:
      guard let ssid else { return "" }
      let count = try await client.forget(ssid)
      return count == 0 ? "nothing was saved of ‘\(ssid)’\n" : "‘\(ssid)’ is forgotten\n"
    default: return try await status(client)
    }
    return ""
  }

  private func status(_ client: ControlClient) async throws(ControlClient.Failure) -> String {
    let status = try await client.status()
    // The clock that the daemon's times are on.
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    let now = UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
    return invocation[Arguments.json] ? status.json(now: now) : status.text(now: now)
  }

  /// The wrong guesses are forgiven without a daemon on the bus, too.
  private func forgiveGuesses() throws(CommandError) -> String {
    try configuration.forgiveGuesses()
      ? ""
      : "the wrong setup codes are forgiven; no daemon runs that could be opened\n"
  }
}
