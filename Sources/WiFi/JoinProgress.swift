/// How far ``Station/join(_:failing:progress:)`` has come; moves down this list, and back to
/// associating only where the network is tried once more in another way.
package enum JoinProgress: Int, Sendable, Comparable {
  /// Looking for the network, and telling NetworkManager of it.
  case preparing
  /// Getting in touch with the access point.
  case associating
  /// The password is being tried.
  case authenticating
  /// Waiting for an IPv4 address.
  case obtainingAddress
  /// Connected; the profile is being saved, and the way to the internet is looked at.
  case checkingConnectivity

  package static func < (left: JoinProgress, right: JoinProgress) -> Bool {
    left.rawValue < right.rawValue
  }
}
