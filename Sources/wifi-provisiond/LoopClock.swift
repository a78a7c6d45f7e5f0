internal import MainLoop
internal import ProvisioningAgent

/// The main loop's timers, for the agent.
struct LoopClock: ClockPort {
  let loop: MainLoop
  private let start = ContinuousClock.now

  init(loop: MainLoop) { self.loop = loop }

  var now: Duration { start.duration(to: .now) }

  func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let timer = loop.after(delay, action)
    return { timer.cancel() }
  }
}
