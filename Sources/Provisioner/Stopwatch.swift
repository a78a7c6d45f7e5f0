/// The time on some clock since the stopwatch was made.
struct Stopwatch: Sendable {
  let elapsed: @Sendable () -> Duration
  /// Waits until so much has elapsed; throws when the task is cancelled.
  let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }
}
