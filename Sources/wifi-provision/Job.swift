internal import Provisioner
internal import ProvisioningProtocol

/// What the program does, once its command line and its secrets are understood.
enum Job: Sendable {
  case scan(Duration)
  /// Without a code the device tells what everybody may hear; so with `status`.
  case information(DeviceName, GivenCode?)
  /// Without a network the one that this machine is in.
  case connect(DeviceName, NetworkDescription?, Access)
  case status(DeviceName, GivenCode?)
  case networks(DeviceName, GivenCode)
  case savedNetworks(DeviceName, GivenCode)
  case forget(SSID, DeviceName, GivenCode)
  case cancel(DeviceName, GivenCode)
  case identify(DeviceName, GivenCode)
}

extension Job {
  /// Reads the secrets where some are needed; blocks until they are there.
  ///
  /// - Parameter warn: told what a person should know of them, in words.
  init(_ settings: Settings, warn: (String) -> Void = { _ in }) throws(SecretError) {
    switch settings.action {
    case .scan: self = .scan(settings.timeout ?? Settings.scanLimit)
    case .information(let name, let code): self = .information(name, try code?.read())
    case .connect(let name, let network, let code):
      // In this order, for standard input may hold both.
      let access = try code.map { code throws(SecretError) in Access.code(try code.read()) }
      self = .connect(name, try network?.read(warn), access ?? .insecure)
    case .status(let name, let code): self = .status(name, try code?.read())
    case .networks(let name, let code): self = .networks(name, try code.read())
    case .savedNetworks(let name, let code): self = .savedNetworks(name, try code.read())
    case .forget(let ssid, let name, let code): self = .forget(ssid, name, try code.read())
    case .cancel(let name, let code): self = .cancel(name, try code.read())
    case .identify(let name, let code): self = .identify(name, try code.read())
    }
  }

  /// Does it.
  ///
  /// - Parameter current: gives the network that this machine is in.
  /// - Returns: how it ended, where that is not an error.
  func run(
    on provisioner: Provisioner, _ reporter: any Reporter,
    current: () async throws(CurrentNetworkError) -> NetworkDescription
  ) async throws(ProvisionerError) -> CommandResult {
    switch self {
    case .scan(let limit):
      let devices = try await provisioner.scan(for: limit) { reporter.sighting($0) }
      if !devices.isEmpty { return .done() }
      return .done(
        "No device to be provisioned was heard.", "Bring it closer, and see whether it is on.")
    case .information(let name, nil):
      reporter.information(try await provisioner.information(of: name))
      return .done()
    case .information(let name, let code?):
      // The device information comes on the way.
      reporter.details(try await provisioner.details(of: name, code))
      return .done()
    case .status(let name, nil):
      reporter.status(DeviceStatus(try await provisioner.status(of: name)))
      return .done()
    case .status(let name, let code?):
      reporter.status(try await provisioner.status(of: name, code))
      return .done()
    case .connect(let name, let given, let access):
      let network: NetworkDescription
      if let given {
        network = given
      } else {
        do throws(CurrentNetworkError) {
          network = try await current()
          reporter.currentNetwork(network)
        } catch {
          if Task.isCancelled { throw .cancelled }
          return CommandResult(error)
        }
      }
      let outcome = try await provisioner.connect(name, to: network, access: access)
      return CommandResult(outcome, joining: network.ssid)
    case .networks(let name, let code):
      let networks = try await provisioner.networks(of: name, code)
      reporter.networks(networks)
      return networks.networks.isEmpty
        ? .done("The device sees no network.", "See whether its antenna is connected.") : .done()
    case .savedNetworks(let name, let code):
      let networks = try await provisioner.savedNetworks(of: name, code)
      for network in networks { reporter.savedNetwork(network) }
      return networks.isEmpty ? .done("The device keeps no network.") : .done()
    case .forget(let ssid, let name, let code):
      let count = try await provisioner.forget(ssid, on: name, code)
      return .done(
        count == 0
          ? "The device did not know ‘\(ssid)’." : "The device has forgotten ‘\(ssid)’.")
    case .cancel(let name, let code):
      try await provisioner.cancel(name, code)
      return .done("The device has stopped its attempt, if there was one.")
    case .identify(let name, let code):
      try await provisioner.identify(name, code)
      return .done("The device makes itself noticed.")
    }
  }
}
