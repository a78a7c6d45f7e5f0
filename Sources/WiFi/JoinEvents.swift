internal import Synchronization

/// What one attempt waits for, in the order in which it happened.
///
/// Safe from any thread.
final class JoinEvents: Sendable {
  enum Event: Sendable {
    /// Something that the activation may be decided by.
    case trial(ActivationTrial.Event)
    /// The state of any active connection, in NetworkManager's numbers.
    case activeConnection(path: String, state: UInt32)
    /// NetworkManager answered the request to add the trial's profile.
    case profileAdded(ReadyResult)
    /// NetworkManager answered the request to activate.
    case activationAnswered(ReadyResult)
    /// It should have done so long ago.
    case answerOverdue
    /// An access point came or went, or a scan ended.
    case scanChanged
    /// Waiting for the scan, or for what it found, takes too long.
    case scanOverdue
    /// The device should have been back in the network before long ago.
    case wayBackOverdue
    /// A device came or went.
    case devicesChanged
    /// The client found NetworkManager, or lost it.
    case runningChanged
  }

  private let continuation: AsyncStream<Event>.Continuation
  private let cancelled = Mutex(false)
  let stream: AsyncStream<Event>

  init() { (stream, continuation) = AsyncStream.makeStream(of: Event.self) }

  /// Whether the caller has given up, told before the event arrives.
  var isCancelled: Bool { cancelled.withLock { $0 } }

  func send(_ event: Event) { continuation.yield(event) }

  func cancel() {
    cancelled.withLock { $0 = true }
    send(.trial(.cancelled))
  }
}
