/// What an attempt to join a network saw; for the log, and for finding the reason.
package struct JoinEvidence: Sendable, Hashable {
  /// One change of the device's state, in NetworkManager's numbers.
  package struct Transition: Sendable, Hashable {
    /// `NMDeviceState`.
    package let state: UInt32
    /// `NMDeviceStateReason`; newer versions add numbers.
    package let reason: UInt32

    package init(state: UInt32, reason: UInt32) {
      self.state = state
      self.reason = reason
    }
  }

  /// What the access point's flags told, once it was found.
  package var security: NetworkSecurity?
  /// The access point's signal in dBm.
  package var signal: Int8?
  /// The access point's channel in MHz.
  package var frequency: UInt32?
  /// Every state the device went through since before the activation.
  package var transitions: [Transition] = []
  /// What wpa_supplicant reported, in a few words each, such as `auth status 1`.
  package var supplicant: [String] = []

  package init() {}
}
