/// What NetworkManager found out about the way to the internet; checking is optional there.
package enum Connectivity: UInt8, Sendable, Hashable {
  /// Not checked, or checking is switched off.
  case unknown = 0
  /// Not connected to any network.
  case none = 1
  /// A portal asks for a login first.
  case portal = 2
  /// A network, but no internet.
  case limited = 3
  /// The internet is in reach.
  case full = 4
}
