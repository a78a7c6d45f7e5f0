import ProvisioningAgent
import Synchronization

/// Time that passes when a test says so.
final class FakeClock: ClockPort {
  private struct Timer {
    let due: Duration
    let action: @Sendable () -> Void
  }
  private struct State {
    var now = Duration.zero
    var timers: [Int: Timer] = [:]
    var last = 0
  }
  private let state = Mutex(State())

  var now: Duration { state.withLock { $0.now } }

  /// How many timers would wake an idle process.
  var timerCount: Int { state.withLock { $0.timers.count } }

  func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let id = state.withLock { state in
      state.last += 1
      state.timers[state.last] = Timer(due: state.now + delay, action: action)
      return state.last
    }
    return { self.state.withLock { _ = $0.timers.removeValue(forKey: id) } }
  }

  /// Lets time pass; what falls due meanwhile happens at its moment, on `executor`.
  func advance(by step: Duration, on executor: ManualExecutor) {
    let end = now + step
    while let due = takeNext(until: end) { executor.run(due) }
    state.withLock { $0.now = end }
  }

  private func takeNext(until end: Duration) -> (@Sendable () -> Void)? {
    state.withLock { state in
      let next = state.timers.min { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
      guard let next, next.value.due <= end else { return nil }
      state.timers[next.key] = nil
      state.now = max(state.now, next.value.due)
      return next.value.action
    }
  }
}
