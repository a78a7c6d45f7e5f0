/// One access point as NetworkManager describes it.
struct AccessPoint: Hashable {
  /// The D-Bus path, the "specific object" of an activation.
  let path: String
  /// 1 to 32 bytes.
  let ssid: [UInt8]
  let security: NetworkSecurity
  /// 0 to 100.
  let strength: Int
  /// In MHz; 0 where it is not known.
  let frequency: UInt32
  /// The address, such as `02:00:00:00:01:00`.
  let bssid: String
}

extension NetworkSecurity {
  /// Bits of `NM80211ApFlags` and `NM80211ApSecurityFlags`.
  private enum Flag {
    static let privacy: UInt32 = 0x1
    static let psk: UInt32 = 0x100
    static let enterprise: UInt32 = 0x200
    static let sae: UInt32 = 0x400
    static let owe: UInt32 = 0x800
    static let oweTransition: UInt32 = 0x1000
    static let suiteB192: UInt32 = 0x2000
  }

  /// Reads an access point's flags; bits that newer versions add do not count.
  init(flags: UInt32, wpa: UInt32, rsn: UInt32) {
    let either = wpa | rsn
    if either & Flag.psk != 0 {
      self = either & Flag.sae != 0 ? .wpa2WPA3 : .wpa2
    } else if either & Flag.sae != 0 {
      self = .wpa3
    } else if either & Flag.enterprise != 0 {
      self = .enterprise
    } else if either & Flag.suiteB192 != 0 {
      self = .enterprise192
    } else if either & Flag.owe != 0 {
      self = .owe
    } else if either & Flag.oweTransition != 0 {
      self = .oweTransition
    } else {
      self = flags & Flag.privacy != 0 ? .wep : .open
    }
  }

  /// Why a password cannot be one for such a network; nil when it can.
  func objection(to password: some Collection<UInt8>) -> String? {
    if !needsPassword { return password.isEmpty ? nil : "a password for an open network" }
    if password.isEmpty { return "no password for a protected network" }
    // NetworkManager takes text; what is not UTF-8 without NUL cannot be handed over.
    guard !password.contains(0), String(validating: password, as: UTF8.self) != nil else {
      return "the password is not text"
    }
    // An enterprise network's login is checked by itself.
    if self == .wpa3 || self == .enterprise { return nil }
    if (8...63).contains(password.count) { return nil }
    let isKey = password.count == 64 && password.allSatisfy(\.isHexDigit)
    return isKey ? nil : "the password has \(password.count) bytes, not 8 to 63 or 64 hex digits"
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}

private struct NetworkKey: Hashable {
  let ssid: [UInt8]
  let security: NetworkSecurity
}

extension [AccessPoint] {
  /// One entry a network and security, strongest first.
  ///
  /// - Parameter profiles: what is kept, to tell which networks are known.
  func merged(known profiles: [SavedProfile] = []) -> [WirelessNetwork] {
    Dictionary(grouping: self) { NetworkKey(ssid: $0.ssid, security: $0.security) }
      .map { key, points in
        WirelessNetwork(
          ssid: key.ssid, security: key.security,
          signal: Signal.decibels(points.map(\.strength).max() ?? 0),
          accessPointCount: points.count,
          frequencies: Set(points.map(\.frequency)).subtracting([0]).sorted(),
          isKnown: profiles.contains {
            $0.ssid == key.ssid && $0.kind == SavedProfile.Kind(key.security)
          })
      }
      // By name where the signals are equal: a list that is read in pages keeps its order.
      .sorted { left, right in
        left.signal == right.signal
          ? left.ssid.lexicographicallyPrecedes(right.ssid) : left.signal > right.signal
      }
  }

  /// The access point to join: the strongest of the kind that fits, else the strongest.
  func best(for request: NetworkRequest) -> AccessPoint? {
    filter { point in
      point.ssid == request.ssid && request.kinds.map { $0.contains(point.security) } ?? true
    }.max { left, right in
      func rank(_ point: AccessPoint) -> (Int, Int) {
        let fits = point.security.isSupported && request.fits(point.security)
        return (fits ? 2 : point.security.isSupported ? 1 : 0, point.strength)
      }
      return rank(left) < rank(right)
    }
  }
}

extension NetworkRequest {
  /// Whether what was given is what such a network asks for.
  func fits(_ security: NetworkSecurity) -> Bool {
    if login != nil { return security == .enterprise }
    return security != .enterprise && security.needsPassword == hasPassword
  }
}
