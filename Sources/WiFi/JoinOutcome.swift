/// How ``Station/join(_:failing:progress:)`` ended.
package enum JoinOutcome: Sendable, Hashable {
  /// The device has the addresses that were asked for on the network.
  ///
  /// `saved` is false when NetworkManager could not write the profile: the link works, and is
  /// forgotten at the next disconnect.
  case connected(StationSnapshot.Link, saved: Bool)
  /// The network was not joined, and nothing of the attempt is left in NetworkManager; or it was
  /// lost again right after it had been saved, and stays known.
  case failed(JoinFailure)
  /// The same, and the device is back in the network that it was in before.
  case rolledBack(JoinFailure, StationSnapshot.Link)
}
