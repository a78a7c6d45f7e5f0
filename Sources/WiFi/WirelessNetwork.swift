/// What the device sees of one network: its access points merged by SSID and security.
package struct WirelessNetwork: Sendable, Hashable {
  /// 1 to 32 bytes of any value; not always text.
  package let ssid: [UInt8]
  /// What the access points' flags say.
  package let security: NetworkSecurity
  /// The strongest access point's signal in dBm, -100 to -40, as precise as NetworkManager's percentage.
  package let signal: Int8
  /// How many access points were merged, at least 1.
  package let accessPointCount: Int
  /// Their channels in MHz, the lowest first.
  package let frequencies: [UInt32]
  /// Whether a profile for such a network is kept.
  package let isKnown: Bool
}
