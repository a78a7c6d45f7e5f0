/// What NetworkManager keeps of one network: its profiles merged by SSID and security.
package struct SavedNetwork: Sendable, Hashable {
  /// 1 to 32 bytes of any value; not always text.
  package let ssid: [UInt8]
  /// What the profiles expect; nil for what is not known here.
  ///
  /// ``NetworkSecurity/wpa2WPA3`` for each with a password for WPA2: NetworkManager uses it for
  /// WPA3, too, where it can.
  package let security: NetworkSecurity?
  /// Whether a device is connected with one of the profiles.
  package let isInUse: Bool
  /// Whether NetworkManager activates one of the profiles by itself.
  package let connectsAutomatically: Bool

  package init(
    ssid: [UInt8], security: NetworkSecurity?, isInUse: Bool, connectsAutomatically: Bool
  ) {
    self.ssid = ssid
    self.security = security
    self.isInUse = isInUse
    self.connectsAutomatically = connectsAutomatically
  }
}

private struct NetworkKey: Hashable {
  let ssid: [UInt8]
  let security: NetworkSecurity?
}

extension [SavedProfile] {
  /// One entry a network and security: first what is in use, then by SSID.
  ///
  /// - Parameter active: the UUIDs of the profiles in use.
  func networks(active: Set<String>) -> [SavedNetwork] {
    Dictionary(grouping: self) { NetworkKey(ssid: $0.ssid, security: $0.security) }
      .map { key, profiles in
        SavedNetwork(
          ssid: key.ssid, security: key.security,
          isInUse: profiles.contains { active.contains($0.uuid) },
          connectsAutomatically: profiles.contains(where: \.connectsAutomatically))
      }
      .sorted { left, right in
        if left.isInUse != right.isInUse { return left.isInUse }
        return left.ssid.lexicographicallyPrecedes(right.ssid)
      }
  }
}
