internal import Provisioner
internal import ProvisioningProtocol

/// Shows a command's progress and its end; called from one thread at a time, in order.
protocol Reporter: Sendable {
  /// A device that `scan` heard, or that now shows something else.
  func sighting(_ device: DeviceSighting)
  func progress(_ progress: Progress)
  func information(_ information: DeviceInformation)
  /// The network that this machine is in, and that the device is to join; nothing is sent yet.
  func currentNetwork(_ network: NetworkDescription)
  /// What a device tells of itself to those who know its setup code.
  func details(_ details: DeviceDetails)
  /// The answer to `status`.
  func status(_ status: DeviceStatus)
  /// The networks that the device sees; the strongest comes first.
  func networks(_ list: VisibleNetworks)
  /// A network that the device keeps.
  func savedNetwork(_ network: SavedNetwork)
  /// The last call.
  func finish(_ result: CommandResult)
}
