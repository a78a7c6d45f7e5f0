internal import DBus

/// An access point in the simulated NetworkManager's list.
struct VisibleAccessPoint {
  let path: ObjectPath
  let bssid: String
  let point: SimulatedAccessPoint

  /// What a beacon shows.
  var ssid: [UInt8] { point.isHidden ? [] : point.ssid }

  /// `NM80211ApFlags`.
  var flags: UInt32 { needsPassword ? 0x1 : 0 }

  /// `NM80211ApSecurityFlags` of the RSN element: CCMP for both, and the key management.
  var rsnFlags: UInt32 {
    let ciphers: UInt32 = 0x8 | 0x80
    switch point.security {
    case .open: return 0
    case .owe: return ciphers | 0x800
    case .wpa2: return ciphers | 0x100
    case .wpa2AndWPA3: return ciphers | 0x100 | 0x400
    case .wpa3: return ciphers | 0x400
    }
  }

  var needsPassword: Bool {
    switch point.security {
    case .open, .owe: false
    case .wpa2, .wpa2AndWPA3, .wpa3: true
    }
  }

  /// Whether a password is proven by SAE, before the association.
  var usesSAE: Bool { point.security == .wpa3 || point.security == .wpa2AndWPA3 }

  /// Whether a profile with such a key management can join.
  func accepts(keyManagement: String?) -> Bool {
    switch point.security {
    case .open: keyManagement == nil
    case .owe: keyManagement == "owe"
    case .wpa2: keyManagement == "wpa-psk"
    case .wpa2AndWPA3: keyManagement == "wpa-psk" || keyManagement == "sae"
    case .wpa3: keyManagement == "sae" || keyManagement == "wpa-psk"
    }
  }

  var interfaces: [Interface] {
    [
      Interface(
        NetworkManagerName.Interface.accessPoint,
        properties: [
          Property("Flags", .uint32(flags)),
          Property("WpaFlags", .uint32(0)),
          Property("RsnFlags", .uint32(rsnFlags)),
          Property("Ssid", .bytes(ssid)),
          Property("Frequency", .uint32(point.frequency)),
          Property("HwAddress", .string(bssid)),
          Property("Mode", .uint32(2)),
          Property("MaxBitrate", .uint32(54_000)),
          Property("Strength", .byte(point.strength)),
          Property("LastSeen", .int32(1)),
        ])
    ]
  }
}
