internal import DBus
internal import ProvisioningProtocol

/// Why the network that this machine is in cannot be had.
enum CurrentNetworkError: Error, Equatable {
  /// There is no bus, or no NetworkManager on it.
  case notRunning
  /// This machine is in no Wi-Fi network.
  case noNetwork
  /// The user, or the system's rules, did not agree.
  case refused
  /// NetworkManager has no password for it, nor has anybody that it asked.
  case noPassword
  /// A kind of network, or of proof, that cannot be passed on.
  case unsupported(SSID, String)
  /// The certificate that the network is known by cannot be read.
  case certificate(SSID, String)
  /// The profile of this machine does not make a network for the device.
  case unusable(SSID, NetworkDescriptionError)
  case failed(String)

  init(_ error: BusError) {
    switch error.name {
    case BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner, BusError.Name.disconnected:
      self = .notRunning
    case BusError.Name.accessDenied, BusError.Name.noReply, BusError.Name.timeout,
      "org.freedesktop.NetworkManager.PermissionDenied",
      "org.freedesktop.NetworkManager.Settings.PermissionDenied",
      "org.freedesktop.NetworkManager.Settings.Connection.PermissionDenied":
      self = .refused
    case "org.freedesktop.NetworkManager.AgentManager.NoSecrets",
      "org.freedesktop.NetworkManager.AgentManager.UserCanceled":
      self = .noPassword
    default: self = .failed(error.message.isEmpty ? error.name : error.message)
    }
  }
}

extension CommandResult {
  /// The result of a command that takes the network that this machine is in.
  init(_ error: CurrentNetworkError) {
    let describe = "Describe the network with --ssid and the other options."
    let (reason, message, advice) =
      switch error {
      case .notRunning:
        ("no-network-manager", "NetworkManager does not run on this machine.", describe)
      case .noNetwork: ("no-current-network", "This machine is in no Wi-Fi network.", describe)
      case .refused:
        (
          "not-permitted", "This machine's NetworkManager does not give the network's password.",
          "Call the program as a user who may have it, and agree when you are asked. \(describe)"
        )
      case .noPassword:
        (
          "no-password", "NetworkManager does not have the password of this machine's network.",
          describe
        )
      case .unsupported(let ssid, let kind):
        (
          "security-not-supported",
          "The network ‘\(ssid)’ has a kind of security that cannot be passed on: \(printableText(kind.utf8)).",
          describe
        )
      case .certificate(let ssid, let words):
        (
          "certificate-unreadable",
          "The certificate that ‘\(ssid)’ is known by cannot be had: \(printableText(words.utf8)).",
          describe
        )
      case .unusable(let ssid, let error):
        (error.reason.name, "‘\(ssid)’ cannot be passed on as it is: \(error.words)", error.advice)
      case .failed(let words):
        (
          "no-current-network",
          "NetworkManager does not tell the network: \(printableText(words.utf8)).", describe
        )
      }
    self.init(
      outcome: .failed, reason: reason, exitCode: .usage, message: message, advice: advice)
  }
}
