internal import DBus
internal import DeviceState
internal import Diagnostics
internal import KeyFile
internal import MainLoop
internal import ProvisioningAgent
internal import ProvisioningProtocol

/// The daemon's life: from the bus to the signal that ends it.
struct Daemon {
  let loop: MainLoop
  let files: ConfigurationFiles
  let log: Log
  let notifier = ServiceNotifier()

  private enum Event: Sendable {
    case signal(ProcessSignal)
    case busClosed
    /// Another setup code is in the state folder.
    case codeChanged(done: @Sendable () -> Void)
  }

  /// The state folder, which no other daemon uses meanwhile.
  private struct ClaimedFolder {
    let folder: StateFolder
    let lock: DaemonLock
  }

  /// Runs until a signal or the end of the bus.
  func run(_ configuration: Configuration) async -> ExitStatus {
    // Before the folder is claimed: from then on the commands send signals.
    let arriving = loop.signals([.hangup, .user1, .interrupt, .terminate])
    let bus: Connection
    do {
      bus = try await Connection.open(.system, loop: loop)
    } catch {
      log.error("the system bus cannot be used: \(error.message)")
      return .failure
    }
    var claimed: ClaimedFolder?
    var service: Service
    do throws(Service.Failure) {
      claimed = try claim(configuration, claimed)
      service = try Service(
        configuration, folder: claimed?.folder, bus: bus, log: log, notifier: notifier)
    } catch {
      log.error(error.message)
      return .configuration
    }
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let control = Control(bus: bus, log: log) { continuation.yield(.codeChanged(done: $0)) }
    // Bluetooth before anything else: the device is to be seen as soon as can be.
    await start(service, control)
    await control.start()

    let signals = Task(executorPreference: loop) {
      for await signal in arriving { continuation.yield(.signal(signal)) }
    }
    defer { signals.cancel() }
    await bus.onClose { continuation.yield(.busClosed) }

    for await event in events {
      switch event {
      case .signal(.hangup):
        notifier.notify(.reloading)
        await reload(&service, &claimed, bus: bus, control)
        notifier.notify(.ready)
      case .codeChanged(let done):
        await reload(&service, &claimed, bus: bus, control)
        done()
      case .signal(.user1):
        await service.agent.forgiveGuesses()
        await service.agent.open(for: nil)
      case .signal(.interrupt), .signal(.terminate):
        notifier.notify(.stopping)
        await service.agent.stop()
        await service.hooks.stop()
        return .success
      case .busClosed:
        log.error("the system bus has gone away")
        await service.agent.endIdentification()
        return .failure
      }
    }
    return .success
  }

  private func start(_ service: Service, _ control: Control) async {
    await service.agent.observe(service.hooks)
    await control.serve(service)
    await service.agent.start()
  }

  private func reload(
    _ service: inout Service, _ claimed: inout ClaimedFolder?, bus: Connection, _ control: Control
  ) async {
    guard let new = next(service, &claimed, bus: bus) else { return }
    await service.agent.stop()
    service = new
    await start(service, control)
  }

  /// Reads the configuration and the setup code again; nil when both are as before, or something
  /// is wrong.
  private func next(
    _ current: Service, _ claimed: inout ClaimedFolder?, bus: Connection
  ) -> Service? {
    let problems: [String]
    do throws(ConfigurationError) {
      let new = try files.read()
      do throws(Service.Failure) {
        let next = try claim(new, claimed)
        let service = try Service(
          new, folder: next?.folder, bus: bus, log: log, notifier: notifier)
        claimed = next
        let isSameCode = service.setup?.verifier == current.setup?.verifier
        guard new != current.configuration || !isSameCode else {
          log.notice("neither the configuration nor the setup code has changed")
          return nil
        }
        log.notice("the configuration or the setup code has changed")
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

  /// The state folder that a configuration needs, kept where it is the one from before.
  private func claim(
    _ configuration: Configuration, _ current: ClaimedFolder?
  ) throws(Service.Failure) -> ClaimedFolder? {
    guard configuration.security == .code else { return nil }
    if let current, current.folder.path == configuration.stateFolder { return current }
    do throws(StateError) {
      let folder = try StateFolder(configuration.stateFolder, create: true)
      return ClaimedFolder(folder: folder, lock: try DaemonLock(folder))
    } catch {
      throw Service.Failure(message: error.description)
    }
  }
}
