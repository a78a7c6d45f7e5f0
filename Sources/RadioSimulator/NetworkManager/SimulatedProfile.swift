package import DBus

/// A connection profile of the simulated NetworkManager.
package struct SimulatedProfile: Sendable {
  /// Settings by name, their values by key; secrets included.
  package typealias Settings = [String: [String: Value]]

  package internal(set) var settings: Settings
  /// Whether it goes when its device lets go of it.
  package internal(set) var isVolatile: Bool
  /// Whether it is on the disk.
  package internal(set) var isSaved: Bool
  /// When it was last activated: a count, not a time.
  var lastUse = 0
  /// Whether it may not be activated by itself until somebody asks for it.
  var isBlocked = false
  /// How often it has failed since it last worked.
  var failures = 0

  init(settings: Settings, isVolatile: Bool, isSaved: Bool) {
    self.settings = settings
    self.isVolatile = isVolatile
    self.isSaved = isSaved
  }

  /// What identifies it for good.
  package var uuid: String { text(NetworkManagerName.Setting.connection, "uuid") ?? "" }
  /// What people call it.
  package var id: String { text(NetworkManagerName.Setting.connection, "id") ?? "" }
  /// The network's name.
  package var ssid: [UInt8] {
    settings[NetworkManagerName.Setting.wireless]?["ssid"]?.asBytes ?? []
  }
  /// The password.
  package var password: String? { text(NetworkManagerName.Setting.security, "psk") }
  /// How the network is protected, in NetworkManager's words; nil for an open one.
  package var keyManagement: String? { text(NetworkManagerName.Setting.security, "key-mgmt") }

  var connectsByItself: Bool {
    guard !isVolatile, !isBlocked else { return false }
    return common("autoconnect")?.asBool ?? true
  }

  /// The higher, the sooner it is chosen among those that connect by themselves.
  var priority: Int { common("autoconnect-priority")?.asInteger ?? 0 }

  /// A profile without usable secrets is not tried again, others four times or as they say.
  mutating func countFailure(_ reason: DeviceStateReason) {
    failures += 1
    let retries = common("autoconnect-retries")?.asInteger ?? -1
    if reason == .noSecrets || (retries != 0 && failures >= (retries < 0 ? 4 : retries)) {
      isBlocked = true
    }
  }

  private func common(_ key: String) -> Value? {
    settings[NetworkManagerName.Setting.connection]?[key]
  }

  private func text(_ setting: String, _ key: String) -> String? {
    settings[setting]?[key]?.asString
  }

  /// The settings as NetworkManager shows them: without secrets.
  var publicSettings: Settings {
    var result = settings
    result[NetworkManagerName.Setting.security]?["psk"] = nil
    return result
  }

  /// The secrets of one setting, in their place.
  func secrets(of setting: String) -> Settings {
    guard setting == NetworkManagerName.Setting.security, let psk = settings[setting]?["psk"] else {
      return [setting: [:]]
    }
    return [setting: ["psk": psk]]
  }

  /// Takes new settings; without secrets in them the old ones stay.
  mutating func update(_ new: Settings) {
    guard !new.isEmpty else { return }
    let security = NetworkManagerName.Setting.security
    let old = settings[security]?["psk"]
    settings = new
    if settings[security] != nil, settings[security]?["psk"] == nil {
      settings[security]?["psk"] = old
    }
  }
}

extension SimulatedProfile.Settings {
  /// Reads `a{sa{sv}}`; nil when it is something else.
  init?(_ value: DBus.Value?) {
    guard let outer = value?.asDictionary else { return nil }
    self = [:]
    for (name, setting) in outer {
      guard let inner = setting.asDictionary else { return nil }
      self[name] = inner
    }
  }

  /// The settings as `a{sa{sv}}`.
  var value: DBus.Value {
    DBus.Value.dictionary(
      key: .string, value: .dictionary(key: .string, value: .variant),
      sorted { $0.key < $1.key }.map { .init(.string($0.key), .properties($0.value)) })
  }
}
