internal import Provisioner
internal import ProvisioningProtocol

/// What the program does, once its command line and its password are understood.
enum Job: Sendable {
  case scan(Duration)
  case information(DeviceName)
  case connect(DeviceName, SSID, WiFiPassword)
  case status(DeviceName)
}

extension Job {
  /// Reads the password where one is needed; blocks until it is there.
  init(_ settings: Settings) throws(PasswordError) {
    switch settings.action {
    case .scan: self = .scan(settings.timeout ?? Settings.scanLimit)
    case .information(let name): self = .information(name)
    case .connect(let name, let ssid, let source):
      self = .connect(name, ssid, try source?.read() ?? .none)
    case .status(let name): self = .status(name)
    }
  }

  /// Does it.
  ///
  /// - Returns: how it ended, where that is not an error.
  func run(
    on provisioner: Provisioner, _ reporter: any Reporter
  ) async throws(ProvisionerError) -> CommandResult {
    switch self {
    case .scan(let limit):
      let devices = try await provisioner.scan(for: limit) { reporter.sighting($0) }
      if !devices.isEmpty { return .done() }
      return .done(
        "No device to be provisioned was heard.", "Bring it closer, and see whether it is on.")
    case .information(let name):
      reporter.information(try await provisioner.information(of: name))
      return .done()
    case .status(let name):
      reporter.status(try await provisioner.status(of: name))
      return .done()
    case .connect(let name, let ssid, let password):
      let outcome = try await provisioner.connect(name, to: ssid, password, access: .insecure)
      return CommandResult(outcome.status, joining: ssid, after: outcome.before)
    }
  }
}
