/// How an attempt to join a network ended.
package enum AttemptResult: Hashable, Sendable {
  /// The network works; where it is not saved, it is lost with the next start.
  case connected(WiFiLink, saved: Bool)
  /// And the device is in no network, or never left the one before.
  case failed(Reason)
  /// And the device is back in the network before.
  case rolledBack(Reason, WiFiLink)
}
