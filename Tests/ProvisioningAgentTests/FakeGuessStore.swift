import ProvisioningAgent
import Synchronization

/// A store that notes what it was given, and what had been sent by then.
final class FakeGuessStore: GuessStore {
  struct Full: Error {}
  private struct State {
    var counts: [UInt32] = []
    var isFull = false
    var stored: @Sendable () -> Void = {}
  }
  private let state = Mutex(State())

  var counts: [UInt32] { state.withLock { $0.counts } }

  /// Nothing can be stored from now on.
  func fill() { state.withLock { $0.isFull = true } }
  /// Called with each count that is stored.
  func onStore(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.stored = action } }

  func store(wrongGuesses: UInt32) throws {
    let (isFull, stored) = state.withLock { state in
      if !state.isFull { state.counts.append(wrongGuesses) }
      return (state.isFull, state.stored)
    }
    if isFull { throw Full() }
    stored()
  }
}
