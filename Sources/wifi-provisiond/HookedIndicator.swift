internal import ProvisioningAgent

/// Makes the device noticed with its LED, and with the owner's hooks.
struct HookedIndicator: IndicatorPort {
  private let led: LED?
  private let hooks: Hooks

  /// - Returns: nil where there is neither.
  init?(_ led: LED?, _ hooks: Hooks) {
    guard led != nil || hooks.canIdentify else { return nil }
    self.led = led
    self.hooks = hooks
  }

  func begin() throws -> @Sendable () throws -> Void {
    let restore = try led?.begin()
    hooks.take(HookEvent(.identify))
    return { [hooks] in
      hooks.take(HookEvent(.identifyEnded))
      try restore?()
    }
  }
}
