internal import FoundationEssentials
internal import Provisioner
internal import ProvisioningProtocol

/// One line of `--json`.
///
/// A value that is not known is `null`, never left out.
enum Event: Sendable {
  case device(DeviceSighting)
  case connecting(attempt: Int)
  case connectedToDevice
  case information(DeviceInformation)
  /// The setup code is proved; all that follows crosses the air sealed.
  case secured
  case details(DeviceDetails)
  case state(DeviceStatus)
  case currentNetwork(NetworkDescription)
  case risks([Risk])
  case network(VisibleNetwork)
  /// What there is to know of the list of networks that the device sees.
  case seen(VisibleNetworks)
  case savedNetwork(SavedNetwork)
  case result(CommandResult)
}

extension Event {
  /// The object, its keys in alphabetical order, and the line end.
  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Nothing in an event can fail to encode: there are no floating-point numbers.
    guard let data = try? encoder.encode(self) else { return "" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

extension Event: Encodable {
  private enum Key: String, CodingKey {
    case event
    case id, name, address, rssi, state, plain
    case codeRequired = "code_required"
    case authorizationRequired = "authorization_required"
    case attempt, reason, connectivity, ipv4, ssid, evidence
    case ssidHex = "ssid_hex"
    case returning, tried
    case triedHex = "tried_hex"
    case ipv6, gateways, dns, frequency, risks
    case bands, known, count, age, hidden
    case methods, obstacle
    case security
    case accessPoints = "access_points"
    case inUse = "in_use"
    case automatic
    case model, firmware, version, profiles, securities, features
    case outcome, message, advice
    case exitCode = "exit_code"
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    switch self {
    case .device(let device):
      try object.encode("device", forKey: .event)
      try object.encode(device.advertisement.deviceID.description, forKey: .id)
      try object.encode(device.name, forKey: .name)
      try object.encode(device.address.description, forKey: .address)
      try object.encode(device.rssi, forKey: .rssi)
      try object.encode(device.advertisement.state.name, forKey: .state)
      let flags = device.advertisement.flags
      try object.encode(flags.contains(.plainAccepted), forKey: .plain)
      try object.encode(flags.contains(.setupCodeRequired), forKey: .codeRequired)
      try object.encode(flags.contains(.authorizationRequired), forKey: .authorizationRequired)
    case .connecting(let attempt):
      try object.encode("connecting", forKey: .event)
      try object.encode(attempt, forKey: .attempt)
    case .connectedToDevice: try object.encode("connected-to-device", forKey: .event)
    case .information(let information):
      try object.encode("information", forKey: .event)
      try object.encode(information.deviceID.description, forKey: .id)
      try object.encode(information.name, forKey: .name)
      try object.encode(information.model, forKey: .model)
      try object.encode(information.firmware, forKey: .firmware)
      let version = information.version
      try object.encode("\(version.major).\(version.minor)", forKey: .version)
      try object.encode(information.profiles.map(\.rawValue), forKey: .profiles)
      try object.encode(information.securities.map(\.rawValue), forKey: .securities)
      try object.encode(information.features.map(\.rawValue), forKey: .features)
    case .secured: try object.encode("secured", forKey: .event)
    case .details(let details):
      try object.encode("details", forKey: .event)
      try object.encode(details.methods.map(\.rawValue), forKey: .methods)
      try object.encode(details.obstacle?.name, forKey: .obstacle)
    case .currentNetwork(let network):
      try object.encode("current-network", forKey: .event)
      try encode(network.ssid, to: &object)
    case .risks(let risks):
      try object.encode("risks", forKey: .event)
      try object.encode(risks.map(\.rawValue), forKey: .risks)
    case .seen(let list):
      try object.encode("networks", forKey: .event)
      try object.encode(list.networks.count, forKey: .count)
      try object.encode(list.age, forKey: .age)
      try object.encode(list.hiddenCount, forKey: .hidden)
    case .network(let network):
      try object.encode("network", forKey: .event)
      try encode(network.ssid, to: &object)
      try object.encode(network.security?.rawValue, forKey: .security)
      try object.encode(network.rssi, forKey: .rssi)
      try object.encode(network.accessPointCount, forKey: .accessPoints)
      try object.encode(network.bands.map(\.rawValue), forKey: .bands)
      try object.encode(network.isKnown, forKey: .known)
    case .savedNetwork(let network):
      try object.encode("saved-network", forKey: .event)
      try encode(network.ssid, to: &object)
      try object.encode(network.security?.rawValue, forKey: .security)
      try object.encode(network.isInUse, forKey: .inUse)
      try object.encode(network.connectsAutomatically, forKey: .automatic)
    case .state(let told):
      let status = told.value
      try object.encode("state", forKey: .event)
      try encode(told.ssid, to: &object)
      try object.encode(told.triedSSID?.text, forKey: .tried)
      try object.encode(told.triedSSID?.hex, forKey: .triedHex)
      try object.encode(told.evidence.map(EvidenceObject.init), forKey: .evidence)
      try object.encode(told.risks.map(\.rawValue), forKey: .risks)
      try object.encode(status.isReturning, forKey: .returning)
      try object.encode(told.link.frequency, forKey: .frequency)
      try object.encode(told.link.ipv6.map(\.description), forKey: .ipv6)
      try object.encode(told.link.gateways.map(\.description), forKey: .gateways)
      try object.encode(told.link.dns.map(\.description), forKey: .dns)
      try object.encode(status.state.name, forKey: .state)
      try object.encode(status.reason.name, forKey: .reason)
      try object.encode(status.attempt, forKey: .attempt)
      try object.encode(status.connectivity.name, forKey: .connectivity)
      try object.encode(status.ipv4?.description, forKey: .ipv4)
      try object.encode(status.rssi, forKey: .rssi)
    case .result(let result):
      try object.encode("result", forKey: .event)
      try object.encode(result.outcome.rawValue, forKey: .outcome)
      try object.encode(result.reason, forKey: .reason)
      try object.encode(result.exitCode.rawValue, forKey: .exitCode)
      try object.encode(result.message, forKey: .message)
      try object.encode(result.advice, forKey: .advice)
      try object.encode(result.evidence.map(EvidenceObject.init), forKey: .evidence)
    }
  }

  /// As text where it is UTF-8, and always as bytes.
  private func encode(_ ssid: SSID?, to object: inout KeyedEncodingContainer<Key>) throws {
    try object.encode(ssid?.text, forKey: .ssid)
    try object.encode(ssid?.hex, forKey: .ssidHex)
  }
}

extension SSID {
  /// Nil where its bytes are not UTF-8.
  fileprivate var text: String? { String(validating: bytes, as: UTF8.self) }
}
