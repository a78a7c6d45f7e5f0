internal import CGLib
internal import Synchronization

/// One action that the loop runs once, after a delay, unless it is cancelled first.
///
/// Safe to cancel from any thread; cancelling twice or after the action ran does nothing.
public final class LoopTimer: Sendable {
  private enum State {
    case idle(@Sendable () -> Void)
    // GSource's reference count and g_source_destroy are thread-safe.
    case armed(source: UInt, action: @Sendable () -> Void)
    case done
  }
  private let state: Mutex<State>

  fileprivate init(_ action: @escaping @Sendable () -> Void) { state = Mutex(.idle(action)) }

  fileprivate func arm(after delay: Duration, on context: UnsafeMutableRawPointer) {
    guard let source = g_timeout_source_new(delay.wholeMilliseconds) else { return }
    let ticket = Unmanaged.passRetained(self).toOpaque()
    g_source_set_callback(
      source,
      { data in
        if let data { Unmanaged<LoopTimer>.fromOpaque(data).takeUnretainedValue().fire() }
        return 0
      }, ticket, { data in if let data { Unmanaged<LoopTimer>.fromOpaque(data).release() } })
    let address = UInt(bitPattern: source)
    let armed = state.withLock { state in
      guard case .idle(let action) = state else { return false }
      state = .armed(source: address, action: action)
      return true
    }
    if armed {
      g_source_attach(source, OpaquePointer(context))
    } else {
      g_source_destroy(source)
      g_source_unref(source)
    }
  }

  /// Drops the action if it has not run yet.
  public func cancel() { _ = take() }

  private func fire() { take()?() }

  /// Ends the timer, destroys its source, and hands out the action if it was still to run.
  private func take() -> (@Sendable () -> Void)? {
    let old = state.withLock { state in
      let old = state
      state = .done
      return old
    }
    switch old {
    case .idle(let action): return action
    case .armed(let address, let action):
      if let source = UnsafeMutablePointer<GSource>(bitPattern: address) {
        g_source_destroy(source)
        g_source_unref(source)
      }
      return action
    case .done: return nil
    }
  }
}

extension MainLoop {
  /// Runs `action` on the loop's thread once `delay` has passed.
  ///
  /// - Parameter delay: zero or more; less counts as zero, more than 24 days as 24 days.
  @discardableResult
  public func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> LoopTimer {
    let timer = LoopTimer(action)
    timer.arm(after: delay, on: context)
    return timer
  }

  /// Waits without another thread's help.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before the time has passed.
  public func sleep(for delay: Duration) async throws {
    let sleeper = Sleeper()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { sleeper.begin($0, delay: delay, loop: self) }
    } onCancel: {
      sleeper.finish(.failure(CancellationError()))
    }
  }
}

/// A continuation that the timer and the cancellation race for.
private final class Sleeper: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Void, any Error>)
    case timed(CheckedContinuation<Void, any Error>, LoopTimer)
    case done(Result<Void, any Error>)
  }
  private let state = Mutex<State>(.idle)

  func begin(_ continuation: CheckedContinuation<Void, any Error>, delay: Duration, loop: MainLoop)
  {
    let early: Result<Void, any Error>? = state.withLock { state in
      if case .done(let result) = state { return result }
      state = .waiting(continuation)
      return nil
    }
    if let early { return continuation.resume(with: early) }
    let timer = loop.after(delay) { self.finish(.success(())) }
    let late = state.withLock { state in
      guard case .waiting(let continuation) = state else { return true }
      state = .timed(continuation, timer)
      return false
    }
    if late { timer.cancel() }
  }

  func finish(_ result: Result<Void, any Error>) {
    let old = state.withLock { state in
      let old = state
      if case .done = old { return old }
      state = .done(result)
      return old
    }
    switch old {
    case .idle, .done: break
    case .waiting(let continuation): continuation.resume(with: result)
    case .timed(let continuation, let timer):
      timer.cancel()
      continuation.resume(with: result)
    }
  }
}

extension Duration {
  /// Rounded up, as GLib counts: 0 to `Int32.max`.
  package var wholeMilliseconds: UInt32 {
    if self <= .zero { return 0 }
    if self >= .milliseconds(Int32.max) { return UInt32(Int32.max) }
    let (seconds, attoseconds) = components
    return UInt32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
