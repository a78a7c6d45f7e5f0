/// The board's Wi-Fi, and the NetworkManager in front of it.
package struct SimulatedStation: Sendable, Equatable {
  /// Whether NetworkManager is on the bus when the simulator starts.
  package var hasNetworkManager: Bool
  /// Whether there is a Wi-Fi device when the simulator starts.
  package var hasDevice: Bool
  /// Whether a cable connects the board with the internet when the simulator starts.
  package var hasEthernet: Bool
  /// Whether NetworkManager manages the device.
  package var isManaged: Bool
  /// Whether the radio is on; otherwise rfkill blocks it.
  package var isRadioOn: Bool
  /// Whether this program's user may change anything.
  package var isPermitted: Bool
  /// Whether profiles can be written to the disk.
  package var hasWritableStorage: Bool
  /// Whether wpa_supplicant's own signals are heard when the simulator starts.
  package var hasSupplicant: Bool

  /// Describes the board's Wi-Fi; by default all is well.
  package init(
    hasNetworkManager: Bool = true, hasDevice: Bool = true, hasEthernet: Bool = false,
    isManaged: Bool = true,
    isRadioOn: Bool = true, isPermitted: Bool = true, hasWritableStorage: Bool = true,
    hasSupplicant: Bool = true
  ) {
    self.hasNetworkManager = hasNetworkManager
    self.hasDevice = hasDevice
    self.hasEthernet = hasEthernet
    self.isManaged = isManaged
    self.isRadioOn = isRadioOn
    self.isPermitted = isPermitted
    self.hasWritableStorage = hasWritableStorage
    self.hasSupplicant = hasSupplicant
  }
}
