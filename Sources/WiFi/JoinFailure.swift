/// Why a network was not joined, and what that was concluded from.
package struct JoinFailure: Error, Sendable, Hashable {
  /// The reasons a provisioner may be told.
  package enum Reason: Sendable, Hashable, CaseIterable {
    /// The SSID is empty or longer than 32 bytes.
    case ssidLength
    /// The password cannot be one for this network; there is one for an open network, or none for another.
    case passwordFormat
    /// No access point answers to the SSID.
    case networkNotFound
    /// No access point answers to the SSID of a network that is said to be hidden.
    case hiddenNetworkSilent
    /// The handshake that proves the password failed.
    case wrongPassword
    /// An enterprise network refused the login, or its server's certificate is not to be believed.
    case loginRefused
    /// The access point was there before, and is not any more.
    case outOfRange
    /// The access point refused before a password was tried.
    case accessPointRefused
    /// Somebody else activated another network.
    case superseded
    /// Refused for the password or for something else; the evidence does not tell which.
    case rejected
    /// The access point let us in, and no IPv4 address came.
    case noAddress
    /// The address that came is in use by another device.
    case addressConflict
    /// Nothing was decided before the deadline.
    case timedOut
    /// WEP or an ad-hoc network, or something that this device's Wi-Fi cannot do.
    case securityNotSupported
    /// rfkill, or Wi-Fi or networking switched off.
    case radioBlocked
    /// There is no Wi-Fi device, or it went away.
    case noDevice
    /// The device is not managed by NetworkManager.
    case deviceNotManaged
    /// NetworkManager does not run, or stopped during the attempt.
    case networkManagerNotRunning
    /// NetworkManager refuses this program's user.
    case permissionDenied
    /// The caller's task was cancelled.
    case cancelled
    /// Another ``Station/join(_:failing:progress:)`` is still going on.
    case busy
    /// NetworkManager answered with something unexpected.
    case internalError
  }

  /// The one reason that the evidence allows.
  package let reason: Reason
  /// For the log, in English, without the password.
  package let message: String
  /// What was seen, in the order in which it was seen.
  package var evidence: JoinEvidence

  package init(_ reason: Reason, _ message: String, evidence: JoinEvidence = JoinEvidence()) {
    self.reason = reason
    self.message = message
    self.evidence = evidence
  }
}
