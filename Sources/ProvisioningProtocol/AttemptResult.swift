/// How an attempt to join a network ended.
package enum AttemptResult: Hashable, Sendable {
  /// The network works; where it is not saved, it is lost with the next start.
  case connected(WiFiLink, saved: Bool)
  case failed(Reason)
}
