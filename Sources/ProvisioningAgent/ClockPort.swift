/// What the agent needs of time.
package protocol ClockPort: Sendable {
  /// The time since some moment before the program began; does not jump.
  var now: Duration { get }

  /// Calls `action` once on the agent's executor, when `delay` has passed.
  ///
  /// - Returns: what cancels it; calling that later does nothing.
  func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void)
    -> @Sendable () -> Void
}
