package import ProvisioningProtocol

/// What a command is doing, told as it happens.
package enum Progress: Sendable, Equatable {
  /// Every device is listened for.
  case scanning
  /// The device is searched for.
  case searching(DeviceName)
  /// It was found.
  case found(DeviceSighting)
  /// The link to it is being made, for the `attempt`th time.
  case connecting(attempt: Int)
  /// An attempt failed with this; another follows.
  case retrying(CentralError)
  /// What the radio's service remembered of the device does not fit it, and was dropped.
  case forgotten
  /// The link is up and the device offers what is needed.
  case connected
  /// What the device says of itself.
  case information(DeviceInformation)
  /// The link is being paired.
  case pairing
  /// The setup code is there, and is being proved.
  case proving
  /// Both sides have proved that they know the setup code; all that follows is sealed.
  case secured
  /// The network and its password are being sent.
  case sendingCredentials
  /// What to know of the network's settings, which the device has taken.
  case risks([Risk])
  /// The link broke while the device tries to join; it is searched for again.
  case linkLost(CentralError)
  /// The device said where it is with its Wi-Fi.
  case status(DeviceStatus)
}
