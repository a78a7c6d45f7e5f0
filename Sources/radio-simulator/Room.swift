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
  /// - Returns: the exit status.
  func serve(_ command: [String]) async throws -> Int32 {
    let signals = loop.signals([.hangup, .interrupt, .terminate])
    if command.isEmpty {
      Main.write("\(Self.variable)=\(bus.address)\n", to: STDOUT_FILENO)
      for await _ in signals { break }
      return 0
    }
    let child = try ChildProcess(command, environment: environment(), loop: loop)
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
