internal import DBus
internal import Diagnostics
internal import ProvisioningAgent
internal import ProvisioningProtocol

/// What the daemon shows of itself on the bus, as its properties have it.
///
/// What is not known, or not there, is empty.
struct DaemonStatus: Equatable, Sendable {
  var version = ""
  var deviceID = ""
  var name = ""
  var isOpen = false
  /// Why it is open or closed, in words.
  var why = ""
  /// When it closes unless it is used, in milliseconds since the boot; 0 for no such time.
  var windowEnd: UInt64 = 0
  /// The address of the provisioner that has the device.
  var session = ""
  /// `advertising`, `idle`, `hidden` or `unavailable`.
  var bluetooth = ""
  var bluetoothProblem = ""
  /// The names of the protocol.
  var state = ""
  var reason = ""
  /// The reason in words, and what to do.
  var explanation = ""
  /// Why no network can be joined now: a reason of the protocol.
  var obstacle = ""
  var obstacleExplanation = ""
  /// The network in use.
  var ssid: [UInt8] = []
  /// That of the last attempt.
  var triedSSID: [UInt8] = []
  var address = ""
}

extension DaemonStatus {
  init(_ device: DeviceDescription, _ state: AgentState) {
    version = wifi_provisiond.version
    deviceID = device.id.description
    name = device.name
    isOpen = state.openState.isOpen
    why = state.openState.words
    windowEnd = UInt64(clamping: state.windowEnd?.wholeMilliseconds ?? 0)
    session = state.session?.rawValue ?? ""
    switch state.bluetooth {
    case nil: break
    case .advertising?: bluetooth = "advertising"
    case .idle?: bluetooth = "idle"
    case .hidden(let why)?: (bluetooth, bluetoothProblem) = ("hidden", why)
    case .unavailable(let why)?: (bluetooth, bluetoothProblem) = ("unavailable", why)
    }
    let status = state.status
    self.state = status.value.state.name
    if status.value.reason != .none {
      reason = status.value.reason.name
      explanation = status.value.reason.words
    }
    obstacle = state.obstacle?.name ?? ""
    obstacleExplanation = state.obstacle?.words ?? ""
    ssid = status.ssid?.bytes ?? []
    triedSSID = status.triedSSID?.bytes ?? []
    address = status.value.ipv4?.description ?? ""
  }
}

extension Reason {
  fileprivate var words: String { "\(explanation) \(advice)" }
}

extension Duration {
  /// Rounded down.
  var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

// MARK: - As properties

extension DaemonStatus {
  /// A property on the bus: its name, its type and what it tells.
  struct Field: Sendable {
    let name: String
    let type: StaticString
    let documentation: String
    let value: @Sendable (DaemonStatus) -> Value
  }

  static let fields = [
    text("Version", "The daemon's version", \.version),
    text("DeviceId", "What provisioners tell the device by: 12 hexadecimal digits", \.deviceID),
    text("Name", "What a list of devices shows", \.name),
    Field(
      name: "Open", type: "b", documentation: "Whether provisioners can see and use the device",
      value: { .boolean($0.isOpen) }),
    text("Why", "Why it is open or closed, in words", \.why),
    Field(
      name: "WindowEnd", type: "t",
      documentation: "When it closes unless it is used: ms of CLOCK_BOOTTIME, 0 for never",
      value: { .uint64($0.windowEnd) }),
    text("Session", "The address of the provisioner that has the device, or empty", \.session),
    text("Bluetooth", "advertising, idle, hidden or unavailable; empty at the start", \.bluetooth),
    text("BluetoothProblem", "Why it is hidden or unavailable, in words", \.bluetoothProblem),
    text("State", "The protocol's name of the state, such as connected", \.state),
    text("Reason", "The name of the last attempt's failure, or empty", \.reason),
    text("Explanation", "That reason in words, and what to do", \.explanation),
    text("Obstacle", "The name of what keeps Wi-Fi from being used, or empty", \.obstacle),
    text("ObstacleExplanation", "That in words, and what to do", \.obstacleExplanation),
    bytes("Ssid", "The network in use, or empty", \.ssid),
    bytes("TriedSsid", "The network of the last attempt, or empty", \.triedSSID),
    text("Address", "The IPv4 address, or empty", \.address),
  ]

  private static func text(
    _ name: String, _ documentation: String, _ path: any KeyPath<DaemonStatus, String> & Sendable
  ) -> Field {
    Field(name: name, type: "s", documentation: documentation) { .string($0[keyPath: path]) }
  }

  private static func bytes(
    _ name: String, _ documentation: String, _ path: any KeyPath<DaemonStatus, [UInt8]> & Sendable
  ) -> Field {
    Field(name: name, type: "ay", documentation: documentation) { .bytes($0[keyPath: path]) }
  }

  /// What another daemon's properties say; one that is missing, or of another type, is empty.
  init(_ properties: [String: Value]) {
    func text(_ name: String) -> String { properties[name]?.asString ?? "" }
    version = text("Version")
    deviceID = text("DeviceId")
    name = text("Name")
    isOpen = properties["Open"]?.asBool ?? false
    why = text("Why")
    windowEnd = UInt64(clamping: properties["WindowEnd"]?.asInteger ?? 0)
    session = text("Session")
    bluetooth = text("Bluetooth")
    bluetoothProblem = text("BluetoothProblem")
    state = text("State")
    reason = text("Reason")
    explanation = text("Explanation")
    obstacle = text("Obstacle")
    obstacleExplanation = text("ObstacleExplanation")
    ssid = properties["Ssid"]?.asBytes ?? []
    triedSSID = properties["TriedSsid"]?.asBytes ?? []
    address = text("Address")
  }
}
