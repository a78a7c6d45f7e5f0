/// How long to wait before the next try: longer each time, a minute at most.
struct Backoff {
  private static let first = Duration.seconds(1)
  private static let last = Duration.seconds(60)

  private var delay = Self.first

  mutating func next() -> Duration {
    defer { delay = min(delay * 2, Self.last) }
    return delay
  }

  mutating func reset() { delay = Self.first }
}
