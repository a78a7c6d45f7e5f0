internal import MainLoop

/// The continuous clock, whose sleepers the main loop wakes.
struct LoopClock: Clock {
  let loop: MainLoop

  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .milliseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await loop.sleep(for: now.duration(to: deadline))
  }
}
