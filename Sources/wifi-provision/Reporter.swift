internal import Provisioner
internal import ProvisioningProtocol

/// Shows a command's progress and its end; called from one thread at a time, in order.
protocol Reporter: Sendable {
  /// A device that `scan` heard, or that now shows something else.
  func sighting(_ device: DeviceSighting)
  func progress(_ progress: Progress)
  func information(_ information: DeviceInformation)
  /// The answer to `status`.
  func status(_ status: ProvisioningStatus)
  /// The last call.
  func finish(_ result: CommandResult)
}
