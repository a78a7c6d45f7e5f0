import ProvisioningAgent
import Synchronization

/// A light that remembers what was done with it.
final class FakeIndicator: IndicatorPort {
  enum Call: Equatable {
    case begin
    case end
  }
  struct Broken: Error {}
  private struct State {
    var calls: [Call] = []
    var isBroken = false
  }
  private let state = Mutex(State())

  var calls: [Call] { state.withLock { $0.calls } }

  /// Neither begins nor ends from now on.
  func fail() { state.withLock { $0.isBroken = true } }

  func begin() throws -> @Sendable () throws -> Void {
    try add(.begin)
    return { try self.add(.end) }
  }

  private func add(_ call: Call) throws {
    try state.withLock { state in
      if state.isBroken { throw Broken() }
      state.calls.append(call)
    }
  }
}
