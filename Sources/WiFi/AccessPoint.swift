/// One access point as NetworkManager describes it.
struct AccessPoint: Hashable {
  /// The D-Bus path, the "specific object" of an activation.
  let path: String
  /// 1 to 32 bytes.
  let ssid: [UInt8]
  let security: NetworkSecurity
  /// 0 to 100.
  let strength: Int
}

extension NetworkSecurity {
  /// Bits of `NM80211ApFlags` and `NM80211ApSecurityFlags`.
  private enum Flag {
    static let privacy: UInt32 = 0x1
    static let psk: UInt32 = 0x100
    static let enterprise: UInt32 = 0x200
    static let sae: UInt32 = 0x400
    static let owe: UInt32 = 0x800
    static let suiteB192: UInt32 = 0x2000
  }

  /// Reads an access point's flags; bits that newer versions add do not count.
  init(flags: UInt32, wpa: UInt32, rsn: UInt32) {
    let either = wpa | rsn
    if either & Flag.psk != 0 {
      self = either & Flag.sae != 0 ? .wpa2WPA3 : .wpa2
    } else if either & Flag.sae != 0 {
      self = .wpa3
    } else if either & (Flag.enterprise | Flag.suiteB192) != 0 {
      self = .enterprise
    } else if either & Flag.owe != 0 {
      self = .owe
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
    if self == .wpa3 { return nil }
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
  /// One entry a network and security, strongest first; hidden ones are left out.
  func merged() -> [WirelessNetwork] {
    Dictionary(grouping: self) { NetworkKey(ssid: $0.ssid, security: $0.security) }
      .map { key, points in
        WirelessNetwork(
          ssid: key.ssid, security: key.security,
          signal: Signal.decibels(points.map(\.strength).max() ?? 0),
          accessPointCount: points.count)
      }
      .sorted { $0.signal > $1.signal }
  }

  /// The access point to join: the strongest of the kind that fits, else the strongest.
  ///
  /// `kinds` has those that may be joined at all; nil for any.
  func best(
    for ssid: [UInt8], withPassword: Bool, among kinds: Set<NetworkSecurity>? = nil
  ) -> AccessPoint? {
    filter { point in
      point.ssid == ssid && kinds.map { $0.contains(point.security) } ?? true
    }.max { left, right in
      func rank(_ point: AccessPoint) -> (Int, Int) {
        let fits = point.security.isSupported && point.security.needsPassword == withPassword
        return (fits ? 2 : point.security.isSupported ? 1 : 0, point.strength)
      }
      return rank(left) < rank(right)
    }
  }
}
