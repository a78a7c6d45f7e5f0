internal import Glibc
internal import MainLoop
internal import RadioSimulator

/// The private bus, what is on it, and the command that is run beside it.
actor Room {
  private static let variable = "DBUS_SYSTEM_BUS_ADDRESS"

  nonisolated let loop: MainLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let bus: PrivateBus
  private let simulator: RadioSimulator

  /// Starts the bus and the services.
  init(_ scenario: Scenario, loop: MainLoop) async throws {
    self.loop = loop
    bus = try PrivateBus(loop: loop)
    simulator = RadioSimulator(scenario, busAddress: bus.address, loop: loop)
    do {
      try await simulator.start()
    } catch {
      await bus.stop()
      throw error
    }
  }

  func close() async {
    await simulator.stop()
    await bus.stop()
  }

  /// Serves until the command ends, or without one until a signal says so.
  ///
  /// - Parameter companion: runs meanwhile, and is stopped at the end.
  /// - Returns: the exit status.
  func serve(_ command: [String], beside companion: [String]?) async throws -> Int32 {
    let signals = loop.signals([.hangup, .interrupt, .terminate])
    let environment = environment()
    let other = try companion.map {
      try ChildProcess($0, environment: environment, loop: loop)
    }
    let result: Result<Int32, any Error>
    do {
      result = .success(try await run(command, environment, until: signals))
    } catch {
      result = .failure(error)
    }
    other?.send(signal: SIGTERM)
    _ = await other?.end()
    return try result.get()
  }

  private func run(
    _ command: [String], _ environment: [String], until signals: AsyncStream<ProcessSignal>
  ) async throws -> Int32 {
    if command.isEmpty {
      Main.write("\(Self.variable)=\(bus.address)\n", to: STDOUT_FILENO)
      for await _ in signals { break }
      return 0
    }
    let child = try ChildProcess(command, environment: environment, loop: loop)
    let forwarding = Task(executorPreference: loop) {
      // A terminal sends the interrupt to the command by itself.
      for await signal in signals where signal != .interrupt { child.send(signal: signal.rawValue) }
    }
    defer { forwarding.cancel() }
    switch await child.end() {
    case .exited(let status): return status
    case .killed(let signal): return 128 + signal
    }
  }

  private func environment() -> [String] {
    var variables: [String] = []
    var next = environ
    while let variable = next.pointee {
      variables.append(String(cString: variable))
      next += 1
    }
    return variables.filter { !$0.hasPrefix(Self.variable + "=") }
      + ["\(Self.variable)=\(bus.address)"]
  }
}
