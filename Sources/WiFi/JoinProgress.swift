/// How far ``Station/join(ssid:password:progress:)`` has come; only ever moves down this list.
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
