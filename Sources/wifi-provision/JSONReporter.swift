internal import Provisioner
internal import ProvisioningProtocol

/// One JSON object a line, for programs.
struct JSONReporter: Reporter {
  let output: Output

  func sighting(_ device: DeviceSighting) { write(.device(device)) }

  func progress(_ progress: Progress) {
    switch progress {
    case .found(let device): write(.device(device))
    case .connecting(let attempt): write(.connecting(attempt: attempt))
    case .connected: write(.connectedToDevice)
    case .information(let information): write(.information(information))
    case .status(let status): write(.state(status))
    case .secured: write(.secured)
    case .risks(let risks): write(.risks(risks))
    case .scanning, .searching, .retrying, .forgotten, .pairing, .proving, .sendingCredentials,
      .linkLost:
      break
    }
  }

  func information(_ information: DeviceInformation) { write(.information(information)) }
  func currentNetwork(_ network: NetworkDescription) { write(.currentNetwork(network)) }
  func details(_ details: DeviceDetails) { write(.details(details)) }
  func status(_ status: DeviceStatus) { write(.state(status)) }
  func networks(_ list: VisibleNetworks) {
    for network in list.networks { write(.network(network)) }
    write(.seen(list))
  }
  func savedNetwork(_ network: SavedNetwork) { write(.savedNetwork(network)) }
  func finish(_ result: CommandResult) { write(.result(result)) }

  private func write(_ event: Event) { output.write(event.line) }
}
