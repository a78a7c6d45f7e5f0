internal import DBus
internal import Diagnostics
internal import KeyFile
internal import MainLoop
internal import ProvisioningAgent

/// The daemon's life: from the bus to the signal that ends it.
struct Daemon {
  let loop: MainLoop
  /// The configuration file that was named on the command line.
  let path: String?
  let log: Log
  let notifier = ServiceNotifier()

  private enum Event: Sendable {
    case signal(ProcessSignal)
    case busClosed
  }

  /// Runs until a signal or the end of the bus.
  func run(_ configuration: Configuration) async -> ExitStatus {
    let bus: Connection
    do {
      bus = try await Connection.open(.system, loop: loop)
    } catch {
      log.error("the system bus cannot be used: \(error.message)")
      return .failure
    }
    var service: Service
    do {
      service = try Service(configuration, bus: bus, log: log, notifier: notifier)
    } catch {
      log.error(error.message)
      return .configuration
    }
    // Bluetooth before anything else: the device is to be seen as soon as can be.
    await service.agent.start()

    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let signals = Task(executorPreference: loop) {
      for await signal in loop.signals([.hangup, .interrupt, .terminate]) {
        continuation.yield(.signal(signal))
      }
    }
    defer { signals.cancel() }
    await bus.onClose { continuation.yield(.busClosed) }

    for await event in events {
      switch event {
      case .signal(.hangup):
        notifier.notify(.reloading)
        if let new = reload(service.configuration, bus: bus) {
          await service.agent.stop()
          service = new
          await service.agent.start()
        }
        notifier.notify(.ready)
      case .signal(.interrupt), .signal(.terminate):
        notifier.notify(.stopping)
        await service.agent.stop()
        return .success
      case .busClosed:
        log.error("the system bus has gone away")
        return .failure
      }
    }
    return .success
  }

  /// Reads the configuration again; nil when it says the same as before, or something wrong.
  private func reload(_ current: Configuration, bus: Connection) -> Service? {
    let problems: [String]
    do throws(ConfigurationError) {
      let new = try Configuration(path: path)
      guard new != current else {
        log.notice("the configuration has not changed")
        return nil
      }
      do throws(Service.Failure) {
        let service = try Service(new, bus: bus, log: log, notifier: notifier)
        log.notice("the configuration has changed")
        return service
      } catch {
        problems = [error.message]
      }
    } catch {
      problems = error.problems.map(\.description)
    }
    for problem in problems { log.error(problem) }
    log.warning("the configuration from before stays in force")
    return nil
  }
}
