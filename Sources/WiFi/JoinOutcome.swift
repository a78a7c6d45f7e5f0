/// How ``Station/join(ssid:password:progress:)`` ended.
package enum JoinOutcome: Sendable, Hashable {
  /// The device has an IPv4 address on the network.
  ///
  /// `saved` is false when NetworkManager could not write the profile: the link works, and is
  /// forgotten at the next disconnect.
  case connected(StationSnapshot.Link, saved: Bool)
  /// The network was not joined, and nothing of the attempt is left in NetworkManager.
  case failed(JoinFailure)
}
