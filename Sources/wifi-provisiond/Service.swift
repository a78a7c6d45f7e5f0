internal import BluetoothLE
internal import DBus
internal import DeviceState
internal import Diagnostics
internal import MachineIdentity
internal import ProvisioningAgent
internal import ProvisioningProtocol
internal import WiFi

/// The daemon's parts under one configuration, from the bus up to the agent.
struct Service {
  let configuration: Configuration
  /// The setup code and the folder that keeps it; nil when none is asked for.
  let setup: SetupState?
  let device: DeviceDescription
  let agent: Agent
  let hooks: Hooks

  /// Why a configuration that is right in itself cannot be served.
  struct Failure: Error {
    let message: String
  }

  /// Puts the parts together; nothing happens before the agent starts.
  ///
  /// - Parameter folder: where the setup code is; nil when none is asked for.
  /// - Throws: when the machine has no identity and the configuration gives none, when there is no
  ///   setup code to be had, or when what the device says of itself is too long.
  init(
    _ configuration: Configuration, folder: StateFolder?, bus: Connection, log: Log,
    notifier: ServiceNotifier
  ) throws(Failure) {
    self.configuration = configuration
    let id: DeviceID
    do {
      id = try configuration.deviceID()
    } catch {
      throw Failure(message: "\(error.words); set id in [device] of the configuration")
    }
    let name = configuration.deviceName(id: id)
    do throws(SetupState.Failure) {
      setup = try folder.map { folder throws(SetupState.Failure) in
        try SetupState(folder: folder, device: id, storage: configuration.codeStorage, log: log)
      }
    } catch {
      throw Failure(message: error.message)
    }
    let led: LED?
    do throws(LED.Failure) {
      led = try configuration.led.map { name throws(LED.Failure) in try LED(name) }
    } catch {
      log.warning("nobody can have the device identify itself: \(error.message)")
      led = nil
    }
    hooks = Hooks(
      HookFolder(configuration.hookFolder),
      environment: [
        "PROVISIONING_DEVICE=\(id)", "PROVISIONING_NAME=\(name)",
      ], loop: bus.loop, log: log)
    device = DeviceDescription(
      id: id, name: name, model: configuration.model, firmware: configuration.firmware,
      mode: configuration.security, securities: NetworkManagerStation.securities)
    let runtime = RuntimeFolder()
    let pairing = configuration.security == .link ? configuration.pairing : nil
    do {
      agent = try Agent(
        device: device,
        code: setup.map {
          CodeCheck(verifier: $0.verifier, wrongGuesses: $0.wrongGuesses, store: $0.folder)
        },
        indicator: HookedIndicator(led, hooks), policy: configuration.opening,
        memory: runtime.memory(log),
        windowStore: runtime,
        peripheral: BlueZPeripheral(
          manager: PeripheralManager(
            connection: bus, adapter: configuration.adapter.map { .named($0) } ?? .any,
            pairing: pairing),
          name: name, pairing: pairing, log: log),
        station: NetworkManagerStation(Station(bus: bus, interface: configuration.interface)),
        clock: LoopClock(loop: bus.loop), executor: bus.loop, log: log, notifier: notifier)
    } catch is DeviceInformation.EncodingError {
      throw Failure(message: "name, model and firmware are too long together")
    } catch {
      throw Failure(message: "the setup code cannot be used: \(error)")
    }
  }
}

extension MachineIdentity.Failure {
  /// The failure in words.
  var words: String {
    switch self {
    case .missing: "this machine has no machine id"
    case .malformed(let path): "\(path) holds no machine id"
    }
  }
}
