internal import DBus

/// An access point in the simulated NetworkManager's list.
struct VisibleAccessPoint {
  let path: ObjectPath
  let bssid: [UInt8]
  let point: SimulatedAccessPoint
  /// Whether it has answered a question for its hidden name.
  let isRevealed: Bool

  /// What a beacon or that answer shows.
  var ssid: [UInt8] { point.isHidden && !isRevealed ? [] : point.ssid }

  /// `NM80211ApFlags`.
  private var flags: UInt32 {
    switch point.security {
    case .open, .owe, .oweTransition: 0
    case .wep, .wpa2, .wpa2AndWPA3, .wpa3, .wpa2Enterprise: 0x1
    }
  }

  /// `NM80211ApSecurityFlags` of the RSN element: CCMP for both, and the key management.
  private var rsnFlags: UInt32 {
    let ciphers: UInt32 = 0x8 | 0x80
    switch point.security {
    case .open, .wep: return 0
    case .owe: return ciphers | 0x800
    case .oweTransition: return 0x1000
    case .wpa2: return ciphers | 0x100
    case .wpa2AndWPA3: return ciphers | 0x100 | 0x400
    case .wpa3: return ciphers | 0x400
    case .wpa2Enterprise: return ciphers | 0x200
    }
  }

  /// Whether a profile's kind of security is the network's.
  func accepts(_ profile: SimulatedProfile) -> Bool {
    let management = profile.keyManagement
    switch point.security {
    case .open: return management == nil
    case .owe: return management == "owe"
    case .oweTransition: return management == nil || management == "owe"
    case .wep: return management == "none"
    case .wpa2: return management == "wpa-psk"
    case .wpa2AndWPA3: return management == "wpa-psk" || management == "sae"
    case .wpa3: return management == "sae" || (management == "wpa-psk" && profile.allowsSAE)
    case .wpa2Enterprise: return management == "wpa-eap"
    }
  }

  /// Whether a profile proves its password by SAE, before the association.
  func usesSAE(with profile: SimulatedProfile) -> Bool {
    switch point.security {
    case .wpa3: true
    case .wpa2AndWPA3: profile.allowsSAE
    default: false
    }
  }

  private var address: String {
    bssid.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined(separator: ":")
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
          Property("HwAddress", .string(address)),
          // Ad-hoc or infrastructure.
          Property("Mode", .uint32(point.isAdHoc ? 1 : 2)),
          Property("MaxBitrate", .uint32(54_000)),
          Property("Strength", .byte(point.strength)),
          Property("LastSeen", .int32(1)),
        ])
    ]
  }
}
