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
  case network(VisibleNetwork)
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
    case .network(let network):
      try object.encode("network", forKey: .event)
      try encode(network.ssid, to: &object)
      try object.encode(network.security?.rawValue, forKey: .security)
      try object.encode(network.rssi, forKey: .rssi)
      try object.encode(network.accessPointCount, forKey: .accessPoints)
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
      try object.encode(told.evidence, forKey: .evidence)
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
    }
  }

  /// As text where it is UTF-8, and always as bytes.
  private func encode(_ ssid: SSID?, to object: inout KeyedEncodingContainer<Key>) throws {
    let text = ssid.flatMap { String(validating: $0.bytes, as: UTF8.self) }
    try object.encode(text, forKey: .ssid)
    try object.encode(ssid?.hex, forKey: .ssidHex)
  }
}
