internal import Synchronization

/// The signal that ends the program, once there is one.
final class Interruption: Sendable {
  private let number = Mutex<Int32?>(nil)

  var signal: Int32? { number.withLock { $0 } }

  /// Notes a signal, and says whether it is the first one.
  @discardableResult
  func note(_ signal: Int32) -> Bool {
    number.withLock { number in
      guard number == nil else { return false }
      number = signal
      return true
    }
  }
}
