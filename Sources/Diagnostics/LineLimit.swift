internal import Synchronization

/// Limits how many lines of a kind are written, so that nobody fills a device's storage by radio.
final class LineLimit: Sendable {
  /// What becomes of a line.
  enum Verdict: Equatable {
    /// Written; so many before it were left out.
    case written(leftOut: Int)
    /// Written as the last one for a while.
    case last
    case leftOut
  }

  /// How many of a kind are written in one ``period``.
  static let count = 20
  /// How long a count lasts; in words wherever it is told.
  static let period = Duration.seconds(60)

  private struct Kind {
    var end: ContinuousClock.Instant
    var count = 0
  }

  private let kinds = Mutex<[MessageID: Kind]>([:])

  func verdict(_ id: MessageID, at now: ContinuousClock.Instant) -> Verdict {
    kinds.withLock { kinds in
      var kind = kinds[id] ?? Kind(end: now + Self.period)
      defer { kinds[id] = kind }
      guard now < kind.end else {
        let leftOut = max(0, kind.count - Self.count)
        kind = Kind(end: now + Self.period, count: 1)
        return .written(leftOut: leftOut)
      }
      kind.count += 1
      if kind.count == Self.count { return .last }
      return kind.count < Self.count ? .written(leftOut: 0) : .leftOut
    }
  }
}
