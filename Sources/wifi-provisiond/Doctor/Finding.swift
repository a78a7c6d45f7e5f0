internal import Diagnostics

/// What the doctor says of one thing that provisioning needs.
struct Finding: Equatable, Sendable {
  enum Level: String, Sendable {
    case ok
    /// Works, but not for everybody or not for ever.
    case warning
    /// Keeps the device from being provisioned.
    case error
  }

  /// What was looked at; the raw values are for programs, and stay.
  enum Subject: String, Sendable {
    case configuration
    case setupCode = "setup-code"
    case clock
    case daemon
    case systemBus = "system-bus"
    case radioSwitch = "radio-switch"
    case bluetoothService = "bluetooth-service"
    case bluetoothVersion = "bluetooth-version"
    case bluetoothSettings = "bluetooth-settings"
    case adapter
    case advertising
    case networkManager = "network-manager"
    case permissions
    case wifiDevice = "wifi-device"
    case country
  }

  let level: Level
  let subject: Subject
  /// A sentence without its end.
  let text: String
  /// What to do; nil when there is nothing.
  let advice: String?

  static func ok(_ subject: Subject, _ text: String) -> Finding {
    Finding(level: .ok, subject: subject, text: text, advice: nil)
  }

  static func warning(_ subject: Subject, _ text: String, do advice: String) -> Finding {
    Finding(level: .warning, subject: subject, text: text, advice: advice)
  }

  static func error(_ subject: Subject, _ text: String, do advice: String) -> Finding {
    Finding(level: .error, subject: subject, text: text, advice: advice)
  }

  /// For a person: a line, and one with what to do.
  var description: String {
    let label = level.rawValue + String(repeating: " ", count: 9 - level.rawValue.count)
    let advice = advice.map { String(repeating: " ", count: 9) + "→ \($0.escapingControls)\n" }
    return "\(label)\(text.escapingControls)\n" + (advice ?? "")
  }

  /// For programs: one object in a line.
  var json: String {
    JSONScalar.object([
      ("check", .string(subject.rawValue)), ("level", .string(level.rawValue)),
      ("text", .string(text)), ("advice", advice.map { .string($0) } ?? .null),
    ]) + "\n"
  }
}
