internal import Provisioner
internal import ProvisioningProtocol

extension DeviceSighting {
  /// The advertised name, safe to show.
  var printableName: String? { name.map { printableText($0.utf8) } }

  /// All that tells a device from others, for a person.
  var words: String {
    var parts = [advertisement.deviceID.description, address.description]
    if let rssi { parts.append("\(rssi) dBm") }
    let list = parts.joined(separator: ", ")
    return printableName.map { "\($0) (\(list))" } ?? list
  }
}

extension AdvertisedState {
  var words: String { name.split(separator: "-").joined(separator: " ") }
}

extension ProvisioningAdvertisement.Flags {
  /// What the device takes credentials with.
  var words: String {
    var parts: [String] = []
    if contains(.plainAccepted) { parts.append("plain") }
    if contains(.setupCodeRequired) { parts.append("code") }
    if contains(.authorizationRequired) { parts.append("button") }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}

extension ProvisioningState {
  /// What the device does in this state, for a person.
  var words: String {
    switch self {
    case .idle: "Not connected"
    case .credentialsReceived: "Credentials received"
    case .preparing: "Preparing the Wi-Fi"
    case .associating: "Associating with the access point"
    case .authenticating: "Authenticating"
    case .obtainingAddress: "Obtaining an address"
    case .checkingConnectivity: "Checking the internet connection"
    case .connected: "Connected"
    case .failed: "Failed"
    case .rolledBack: "Failed, and back in the network before"
    default: "Busy (\(name))"
    }
  }
}

extension Connectivity {
  var words: String {
    switch self {
    case .unknown: "not checked"
    case .none: "not reachable"
    case .portal: "behind a log-in page"
    case .limited: "limited"
    case .full: "reachable"
    default: name
    }
  }
}

extension DeviceInformation {
  /// What plain writes to this device mean; nil where it does not take them.
  var warning: String? {
    if profiles.contains(.plain) {
      return """
        everybody in reach can read the Wi-Fi password that is sent now, and nobody can tell whether \
        it is your device that takes it
        """
    }
    guard profiles.contains(.plainLink) else { return nil }
    return """
      the Wi-Fi password is sent over a paired link: unless you type a passkey that the device \
      shows, nobody can tell whether it is your device that takes it, or somebody in between
      """
  }
}

extension AttemptEvidence {
  /// What the device saw, for a person: one line, safe to show.
  var words: String {
    var parts: [String] = []
    if let security { parts.append(security.rawValue) }
    if let rssi { parts.append("\(rssi) dBm") }
    if let frequency { parts.append("\(frequency) MHz") }
    parts += supplicant
    let details = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    return printableText((summary + details).utf8)
  }
}

extension Progress {
  /// What happens, for who looks for a fault.
  var detail: String {
    switch self {
    case .scanning: "scanning"
    case .searching(let name): "searching for \(printableText(name.description.utf8))"
    case .found(let device): "found \(device.words)"
    case .connecting(let attempt): "connecting, attempt \(attempt)"
    case .retrying(let error): "no connection: \(printableText(error.message.utf8))"
    case .forgotten: "had BlueZ forget the device, which lacked characteristics"
    case .connected: "connected"
    case .information(let information):
      "the device speaks \(information.version.major).\(information.version.minor)"
    case .pairing: "pairing"
    case .proving: "proving the setup code"
    case .secured: "both sides know the setup code: the session is secure"
    case .sendingCredentials: "sending the credentials"
    case .risks(let risks): "risks: \(risks.map(\.rawValue).joined(separator: ", "))"
    case .linkLost(let error): "link lost: \(printableText(error.message.utf8))"
    case .status(let status):
      """
      status: \(status.value.state.name), reason \(status.value.reason.name), attempt \
      \(status.value.attempt)\(status.evidence.map { ", \(printableText($0.logLine.utf8))" } ?? "")
      """
    }
  }
}
