import Synchronization

/// A clock on which time passes only when a test says so.
final class TestClock: Clock {
  typealias Duration = Swift.Duration

  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    var deadline: Instant
    var duration: Duration
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant()
    var sleepers: [Int: Sleeper] = [:]
    var waiter: (duration: Duration, continuation: CheckedContinuation<Void, Never>)?
    var lastNumber = 0
  }
  private let state = Mutex(State())

  let minimumResolution = Duration.zero
  var now: Instant { state.withLock { $0.now } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiter = state.withLock { state in
          let duration = state.now.duration(to: deadline)
          state.sleepers[number] = Sleeper(
            deadline: deadline, duration: duration, continuation: continuation)
          return state.waiter?.duration == duration ? state.waiter.take() : nil
        }
        waiter?.continuation.resume()
        wakeThoseWhoseTimeHasCome()
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  /// Waits for somebody to sleep for `duration`, and lets it pass.
  func elapse(_ duration: Duration) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.values.contains(where: { $0.duration == duration }) { return true }
        state.waiter = (duration, continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
    state.withLock { $0.now = $0.now.advanced(by: duration) }
    wakeThoseWhoseTimeHasCome()
  }

  private func wakeThoseWhoseTimeHasCome() {
    let awake = state.withLock { state in
      let awake = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in awake.keys { state.sleepers[number] = nil }
      return awake.values.map(\.continuation)
    }
    for continuation in awake { continuation.resume() }
  }

  private func cancel(_ number: Int) {
    let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
