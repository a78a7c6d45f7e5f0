internal import MainLoop

/// An actor whose executor is the main loop.
protocol LoopActor: Actor {
  nonisolated var loop: MainLoop { get }
}

extension LoopActor {
  /// Begins a task on the actor that never leaves the loop's thread.
  ///
  /// Tasks that begin one after the other come to their first `await` in that order.
  @discardableResult
  nonisolated func task<Result: Sendable>(
    _ body: @escaping @Sendable (isolated Self) async -> Result
  ) -> Task<Result, Never> {
    Task(executorPreference: loop) { await body(self) }
  }
}
