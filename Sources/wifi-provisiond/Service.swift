internal import BluetoothLE
internal import DBus
internal import Diagnostics
internal import MachineIdentity
internal import ProvisioningAgent
internal import ProvisioningProtocol
internal import WiFi

/// The daemon's parts under one configuration, from the bus up to the agent.
struct Service {
  let configuration: Configuration
  let agent: Agent

  /// Why a configuration that is right in itself cannot be served.
  struct Failure: Error {
    let message: String
  }

  /// Puts the parts together; nothing happens before the agent starts.
  ///
  /// - Throws: when the machine has no identity and the configuration gives none, or when what the
  ///   device says of itself is too long.
  init(_ configuration: Configuration, bus: Connection, log: Log, notifier: ServiceNotifier)
    throws(Failure)
  {
    self.configuration = configuration
    let id: DeviceID
    do {
      id = try configuration.deviceID()
    } catch {
      throw Failure(message: "\(error.words); set id in [device] of the configuration")
    }
    let name = configuration.deviceName(id: id)
    // BlueZ is not asked for encrypted links, so `link` lets nobody in rather than everybody.
    let mode: SecurityMode = configuration.security == .open ? .open : .code
    do {
      agent = try Agent(
        device: DeviceDescription(
          id: id, name: name, model: configuration.model, firmware: configuration.firmware,
          mode: mode, securities: NetworkManagerStation.securities),
        peripheral: BlueZPeripheral(
          manager: PeripheralManager(
            connection: bus, adapter: configuration.adapter.map { .named($0) } ?? .any),
          name: name),
        station: NetworkManagerStation(Station(bus: bus, interface: configuration.interface)),
        clock: LoopClock(loop: bus.loop), executor: bus.loop, log: log, notifier: notifier)
    } catch {
      throw Failure(message: "name, model and firmware are too long together")
    }
  }
}

extension MachineIdentity.Failure {
  fileprivate var words: String {
    switch self {
    case .missing: "this machine has no machine id"
    case .malformed(let path): "\(path) holds no machine id"
    }
  }
}
