internal import Glibc

/// Tells the service manager how the program is, by the datagrams that systemd documents in
/// `sd_notify(3)`.
package struct ServiceNotifier: Sendable {
  /// One assignment of a notification.
  package enum State: Sendable {
    /// The program does its work, at the start or after ``reloading``.
    case ready
    /// The configuration is read again; ``ready`` follows.
    case reloading
    /// The program is about to end.
    case stopping
    /// What the program is doing, in a line for a person.
    case status(String)
  }

  private let socketPath: String?

  /// Makes a notifier for the manager that started the program; without one, nothing is sent.
  package init() { self.init(socketPath: getenv("NOTIFY_SOCKET").map { String(cString: $0) }) }

  /// Makes a notifier for a socket's path, or for an abstract name that begins with `@`.
  package init(socketPath: String?) { self.socketPath = socketPath }

  /// Sends one datagram, without waiting.
  ///
  /// What cannot be sent is dropped: the program runs as well without its manager's knowledge.
  package func notify(_ states: State...) {
    guard let socketPath else { return }
    let text = states.map(\.assignment).joined(separator: "\n")
    _ = UnixDatagram(socketPath: socketPath).send(Array(text.utf8))
  }
}

extension ServiceNotifier.State {
  fileprivate var assignment: String {
    switch self {
    case .ready: return "READY=1"
    case .reloading:
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      return "RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)"
    case .stopping: return "STOPPING=1"
    case .status(let text): return "STATUS=\(text.escapingControls)"
    }
  }
}
