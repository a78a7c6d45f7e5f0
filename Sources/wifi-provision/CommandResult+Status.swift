internal import Provisioner
internal import ProvisioningProtocol

extension CommandResult {
  /// What became of an attempt to join a network.
  ///
  /// - Parameter outcome: the device's last words.
  init(_ outcome: Provisioner.Outcome, joining ssid: SSID) {
    let (status, before) = (outcome.last.value, outcome.before)
    let network = "‘\(ssid)’"
    if status.state == .connected {
      let address = status.ipv4.map { " as \($0)" } ?? ""
      let signal = status.rssi.map { ", signal \($0) dBm" } ?? ""
      let saved = status.reason == .none
      self.init(
        outcome: saved ? .connected : .failed, reason: status.reason.name,
        exitCode: saved ? .done : .otherFailure,
        message: "The device is in \(network)\(address)\(signal)."
          + (saved ? "" : " \(status.reason.explanation)"),
        advice: saved ? Self.advice(status.connectivity) : status.reason.advice)
      return
    }
    var evidence: [String] = []
    if let before, before.state != .preparing {
      evidence.append("while \(before.state.activity)")
    }
    // The signal in the final status is that of the network before.
    if let rssi = before?.rssi { evidence.append("with a signal of \(rssi) dBm") }
    let explanation =
      status.reason == .none ? "The device does not say why." : status.reason.explanation
    var message = "No connection to \(network): \(explanation)"
    if !evidence.isEmpty { message += " It failed \(evidence.joined(separator: ", "))." }
    if status.isReturning {
      message += " The device is on its way back to the network before."
    } else if status.state == .rolledBack {
      let previous = outcome.last.ssid.map { "‘\($0)’" } ?? "the network before"
      message += " The device is back in \(previous)."
    }
    let advice = outcome.last.evidence?.advice.map { printableText($0.utf8) }
    self.init(
      outcome: .failed, reason: status.reason.name, exitCode: ExitCode(status.reason),
      message: message, advice: advice ?? status.reason.advice, evidence: outcome.last.evidence)
  }

  /// What `connected` alone does not promise.
  private static func advice(_ connectivity: Connectivity) -> String {
    switch connectivity {
    case .none, .limited: "The internet is not reachable from there: see to the router's uplink."
    case .portal: "The network has a log-in page, which somebody has to pass for the device."
    default: ""
    }
  }
}

extension ProvisioningState {
  /// What the device was doing, as the end of a sentence.
  fileprivate var activity: String {
    switch self {
    case .associating: "associating"
    case .authenticating: "authenticating"
    case .obtainingAddress: "obtaining an address"
    case .checkingConnectivity: "checking the internet connection"
    default: "in the state ‘\(name)’"
    }
  }
}

extension ExitCode {
  /// The status for an attempt that failed with `reason`.
  init(_ reason: Reason) {
    switch reason {
    case .wrongPassword: self = .wrongPassword
    case .networkNotFound, .hiddenNetworkSilent, .outOfRange: self = .networkNotFound
    case .noAddress, .addressConflict: self = .noAddress
    case .rejected, .accessPointRefused, .enterpriseRefused: self = .rejected
    case .securityNotSupported: self = .securityNotSupported
    case .timedOut: self = .timedOut
    case .ssidLength, .passwordFormat, .setupCodeRequired, .lockedOut, .busy, .malformedMessage,
      .notNow, .unsupported, .invalidSettings:
      self = .refused
    default: self = .otherFailure
    }
  }
}
