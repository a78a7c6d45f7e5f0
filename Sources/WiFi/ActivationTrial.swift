/// Follows one activation and decides how it ended; pure, so that every order of events is tested.
struct ActivationTrial {
  /// What NetworkManager, the supplicant or the caller did.
  enum Event: Sendable {
    /// The device's state and its reason, in NetworkManager's numbers.
    case device(state: UInt32, reason: UInt32)
    /// What wpa_supplicant, where it is in reach, says of itself.
    case supplicant(SupplicantReport)
    /// The state of the trial's own active connection.
    case activeConnection(state: UInt32)
    /// The device asked for secrets a while ago, and still does.
    case secretsOverdue
    /// The link was lost a while ago, and is not back.
    case linkOverdue
    /// The whole attempt takes too long.
    case deadline
    /// The device is gone.
    case deviceRemoved
    /// NetworkManager is gone.
    case networkManagerStopped
    /// The caller does not want it any more.
    case cancelled
  }

  /// What to do after an event.
  enum Step: Equatable {
    case wait
    case report(JoinProgress)
    /// Send ``Event/secretsOverdue`` unless the device goes on within two seconds.
    case expectSecretsSoon
    /// Send ``Event/linkOverdue`` after a few seconds.
    case expectLinkSoon
    case activated
    case fail(JoinFailure.Reason, String)
  }

  private let security: NetworkSecurity
  private let hearsSupplicant: Bool
  private var supplicant: SupplicantEvidence
  private(set) var evidence: JoinEvidence
  private var progress = JoinProgress.preparing
  /// Whether the device has begun with our profile; before, it still ends another one.
  private var hasBegun = false
  /// Whether the password has been handed to the supplicant.
  private var hasSecrets = false
  private var isAskingForSecrets = false
  /// Whether the link was lost while an address was waited for.
  private var isLinkLost = false
  /// Whether the address was given by hand, so that no server can fail to give one.
  private let hasFixedAddress: Bool
  /// Why the device was taken down since it began with our profile, whatever it does now.
  private var endReason: UInt32?

  /// - Parameter hearsSupplicant: whether wpa_supplicant's reports come too: they are finer.
  init(security: NetworkSecurity, hasFixedAddress: Bool = false, hearsSupplicant: Bool = false) {
    self.security = security
    self.hasFixedAddress = hasFixedAddress
    self.hearsSupplicant = hearsSupplicant
    supplicant = SupplicantEvidence(security: security)
    evidence = JoinEvidence()
    evidence.security = security
  }

  mutating func handle(_ event: Event) -> Step {
    switch event {
    case .device(let state, let reason): return deviceChanged(to: state, reason)
    case .supplicant(let report): return supplicantReported(report)
    case .activeConnection(let state): return activeConnectionChanged(to: state)
    case .secretsOverdue:
      guard isAskingForSecrets else { return .wait }
      return .fail(.rejected, "NetworkManager asks for another password")
    case .linkOverdue: return isLinkLost ? linkLost : .wait
    case .deadline: return .fail(.timedOut, "no decision within the time limit")
    case .deviceRemoved: return .fail(.noDevice, "the Wi-Fi device went away")
    case .networkManagerStopped:
      return .fail(.networkManagerNotRunning, "NetworkManager stopped during the attempt")
    case .cancelled: return .fail(.cancelled, "cancelled")
    }
  }

  private mutating func deviceChanged(to state: UInt32, _ reason: UInt32) -> Step {
    evidence.transitions.append(JoinEvidence.Transition(state: state, reason: reason))
    isAskingForSecrets = false
    switch state {
    case DeviceState.prepare:
      hasBegun = true
      return .wait
    case DeviceState.config:
      return report(hasSecrets && !hearsSupplicant ? .authenticating : .associating)
    case DeviceState.needAuthentication: return secretsNeeded(reason)
    case DeviceState.ipConfig: return report(.obtainingAddress)
    case DeviceState.ipCheck, DeviceState.secondaries: return .wait
    case DeviceState.activated: return hasBegun ? .activated : .wait
    case DeviceState.failed: return hasBegun ? failure(reason) : .wait
    case DeviceState.disconnected:
      // What it began with may have been another profile, such as one that connects by itself,
      // which gives way to ours only now. Had ours ended, the active connection would say so.
      if hasBegun { endReason = reason }
      hasBegun = false
      hasSecrets = false
      return .wait
    case DeviceState.unmanaged:
      if reason == DeviceStateReason.removed { return handle(.deviceRemoved) }
      return .fail(.deviceNotManaged, "the device is no longer managed (reason \(reason))")
    case DeviceState.unavailable:
      if reason == DeviceStateReason.supplicantFailed {
        return .fail(.internalError, "wpa_supplicant stopped")
      }
      return .fail(.radioBlocked, "the device became unavailable (reason \(reason))")
    default:
      if hasBegun { endReason = reason }
      return .wait
    }
  }

  private mutating func supplicantReported(_ report: SupplicantReport) -> Step {
    // Before that it speaks of the network that is being left.
    guard hasBegun, hasSecrets || !security.needsPassword else { return .wait }
    evidence.supplicant += report.words
    if progress == .obtainingAddress, let step = linkChanged(report) { return step }
    switch supplicant.add(report) {
    case .loginRefused:
      return .fail(.loginRefused, "the network's server refused the login")
    case .serverRefused(let words):
      return .fail(.loginRefused, "the server's certificate was not accepted: \(words)")
    case .wrongPassword:
      return .fail(.wrongPassword, "the access point refused the proof of the password")
    case .refused where security == .wpa3 || security == .wpa2WPA3:
      // An accepted commit and a refused confirm may have come as one report.
      return .fail(.rejected, "the access point refused, before the password was tried or after")
    case .refused: return .fail(.accessPointRefused, "the access point refused to associate")
    case nil: return supplicant.isAuthenticating ? self.report(.authenticating) : .wait
    }
  }

  /// NetworkManager goes on waiting for an address as if the link were there.
  private mutating func linkChanged(_ report: SupplicantReport) -> Step? {
    switch report.state {
    case "disconnected" where !isLinkLost:
      isLinkLost = true
      return .expectLinkSoon
    case "completed": isLinkLost = false
    default: break
    }
    return nil
  }

  private let linkLost = Step.fail(.outOfRange, "the access point went away")

  private mutating func secretsNeeded(_ reason: UInt32) -> Step {
    guard hasBegun else { return .wait }
    if reason == DeviceStateReason.supplicantDisconnected {
      // Of a login NetworkManager does not tell what was refused, and after SAE the handshake's key
      // does not depend on the password any more.
      if security == .enterprise || supplicant.hasProvenPassword {
        return .fail(.rejected, "the access point or its server did not let the device in")
      }
      return .fail(.wrongPassword, "the handshake with the access point failed")
    }
    // NetworkManager fetches the profile's own secrets once, for every protected network.
    if hasSecrets {
      return .fail(.rejected, "the access point did not let the device in")
    }
    hasSecrets = true
    isAskingForSecrets = true
    return .expectSecretsSoon
  }

  private mutating func activeConnectionChanged(to state: UInt32) -> Step {
    guard state == ActiveConnectionState.deactivated else { return .wait }
    // The device tells first, and FAILED has been handled there.
    switch endReason {
    case DeviceStateReason.newActivation:
      return .fail(.superseded, "another network was activated")
    case DeviceStateReason.userRequested, DeviceStateReason.connectionRemoved:
      return .fail(.superseded, "another program ended the attempt")
    case DeviceStateReason.networkingOff:
      return .fail(.radioBlocked, "networking was switched off")
    default:
      return .fail(
        .rejected, "the activation ended (reason \(endReason ?? DeviceStateReason.none))")
    }
  }

  private func failure(_ reason: UInt32) -> Step {
    switch reason {
    case DeviceStateReason.ipConfigUnavailable where isLinkLost: return linkLost
    case DeviceStateReason.ipConfigUnavailable where hasFixedAddress:
      return .fail(.addressConflict, "the address is in use by another device")
    case DeviceStateReason.ipConfigUnavailable, DeviceStateReason.dhcp:
      return .fail(.noAddress, "no IPv4 address was given")
    case DeviceStateReason.addressDuplicate:
      return .fail(.addressConflict, "the address is in use by another device")
    case DeviceStateReason.noSecrets:
      return .fail(.rejected, "NetworkManager has no other password to try")
    case DeviceStateReason.supplicantTimedOut, DeviceStateReason.supplicantDisconnected:
      return notLetIn("the access point did not let the device in")
    case DeviceStateReason.supplicantConfigFailed:
      return .fail(.securityNotSupported, "wpa_supplicant or the driver cannot do this security")
    case DeviceStateReason.supplicantFailed: return .fail(.internalError, "wpa_supplicant stopped")
    case DeviceStateReason.ssidNotFound:
      return notLetIn("the access point was seen, and no association came about")
    case DeviceStateReason.newActivation:
      return .fail(.superseded, "another network was activated")
    case DeviceStateReason.removed: return .fail(.noDevice, "the Wi-Fi device went away")
    case DeviceStateReason.connectionRemoved, DeviceStateReason.userRequested:
      return .fail(.superseded, "another program ended the attempt")
    default: return .fail(.rejected, "the activation failed (reason \(reason))")
    }
  }

  /// Without a password to be wrong, it was the access point's own decision.
  private func notLetIn(_ message: String) -> Step {
    .fail(security.needsPassword ? .rejected : .accessPointRefused, message)
  }

  /// Only forwards: a second association after a retry is no news for a person.
  private mutating func report(_ next: JoinProgress) -> Step {
    guard hasBegun, next > progress else { return .wait }
    progress = next
    return .report(next)
  }
}
