internal import Glibc
internal import MainLoop
internal import ProvisioningAgent

/// The main loop's timers, for the agent.
struct LoopClock: ClockPort {
  let loop: MainLoop

  /// The time since the boot, so that what was stored has the same meaning after a restart.
  var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let timer = loop.after(delay, action)
    return { timer.cancel() }
  }
}
