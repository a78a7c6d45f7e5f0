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
  /// When it last worked: a count, not a time.
  var lastUse = 0
  /// When it last worked, in seconds since 1970; 0 for never.
  var timestamp: UInt64 = 0
  /// Whether it may not be activated by itself until somebody asks for it.
  var isBlocked = false
  /// How often it has failed since it last worked.
  var failures = 0

  init(settings: Settings, isVolatile: Bool, isSaved: Bool) {
    self.settings = settings
    self.isVolatile = isVolatile
    self.isSaved = isSaved
  }

  // MARK: - Its settings

  /// What identifies it for good.
  package var uuid: String { common("uuid")?.asString ?? "" }
  /// What people call it.
  package var id: String { common("id")?.asString ?? "" }
  /// The network's name.
  package var ssid: [UInt8] { wireless("ssid")?.asBytes ?? [] }
  /// The password.
  package var password: String? { security("psk")?.asString }
  /// How the network is protected, in NetworkManager's words; nil for an open one.
  package var keyManagement: String? { security("key-mgmt")?.asString }

  /// The one access point that it is for; nil for any of the network's.
  var bssid: [UInt8]? { wireless("bssid")?.asBytes }
  /// Whether the network is asked for by its name.
  var isHidden: Bool { wireless("hidden")?.asBool ?? false }
  /// Whether it joins networks of others.
  var joinsNetworks: Bool {
    (common("type")?.asString ?? NetworkManagerName.Setting.wireless)
      == NetworkManagerName.Setting.wireless
      && (wireless("mode")?.asString ?? "infrastructure") == "infrastructure"
  }
  /// Whether SAE is tried; it needs management frames to be protected, which can be switched off.
  var allowsSAE: Bool { security("pmf")?.asInteger != 1 }

  var connectsByItself: Bool {
    guard !isVolatile, !isBlocked, joinsNetworks else { return false }
    return common("autoconnect")?.asBool ?? true
  }

  /// The higher, the sooner it is chosen among those that connect by themselves.
  var priority: Int { common("autoconnect-priority")?.asInteger ?? 0 }

  /// Whether all is there that proves who is joining.
  var hasSecrets: Bool {
    switch keyManagement {
    case nil, "owe", "none": return true
    case "wpa-eap": return EnterpriseCredentials(self).hasSecrets
    case "sae": return password?.isEmpty == false
    default:
      let password = password.map { Array($0.utf8) } ?? []
      if password.count == 64 {
        return password.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
      }
      return (8...63).contains(password.count)
    }
  }

  private func common(_ key: String) -> Value? {
    settings[NetworkManagerName.Setting.connection]?[key]
  }

  private func wireless(_ key: String) -> Value? {
    settings[NetworkManagerName.Setting.wireless]?[key]
  }

  private func security(_ key: String) -> Value? {
    settings[NetworkManagerName.Setting.security]?[key]
  }

  // MARK: - What becomes of it

  /// A profile without usable secrets is not tried again, others four times or as they say.
  mutating func countFailure(_ reason: DeviceStateReason) {
    failures += 1
    let retries = common("autoconnect-retries")?.asInteger ?? -1
    if reason == .noSecrets || (retries != 0 && failures >= (retries < 0 ? 4 : retries)) {
      isBlocked = true
    }
  }

  /// The settings as NetworkManager shows them: without secrets.
  var publicSettings: Settings {
    var result = settings
    for (setting, keys) in Self.secretKeys {
      for key in keys { result[setting]?[key] = nil }
    }
    if timestamp > 0 {
      result[NetworkManagerName.Setting.connection]?["timestamp"] = .uint64(timestamp)
    }
    return result
  }

  /// The secrets of one setting, in their place; nil where the profile has no such setting.
  func secrets(of setting: String) -> Settings? {
    guard let values = settings[setting] else { return nil }
    let keys = Self.secretKeys[setting] ?? []
    return [setting: values.filter { keys.contains($0.key) }]
  }

  /// Takes new settings; without any secret in them the old ones stay.
  mutating func update(_ new: Settings) {
    guard !new.isEmpty else { return }
    let old = settings
    settings = new
    let bringsSecrets = Self.secretKeys.contains { setting, keys in
      new[setting]?.keys.contains { keys.contains($0) } ?? false
    }
    guard !bringsSecrets else { return }
    for (setting, keys) in Self.secretKeys where new[setting] != nil {
      for (key, value) in old[setting] ?? [:] where keys.contains(key) {
        settings[setting]?[key] = value
      }
    }
  }

  private static let secretKeys: [String: Set<String>] = [
    NetworkManagerName.Setting.security: [
      "psk", "leap-password", "wep-key0", "wep-key1", "wep-key2", "wep-key3",
    ],
    NetworkManagerName.Setting.enterprise: [
      "password", "password-raw", "pin", "private-key-password", "ca-cert-password",
      "client-cert-password", "phase2-private-key-password", "phase2-ca-cert-password",
      "phase2-client-cert-password",
    ],
  ]
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
