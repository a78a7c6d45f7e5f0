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
    var address = sockaddr_un()
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard let first = socketPath.utf8.first, socketPath.utf8.count < capacity else { return }
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }

    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: socketPath.utf8)
      if first == UInt8(ascii: "@") { path[0] = 0 }
    }
    // The length is counted: an abstract name has no NUL at its end.
    let length = MemoryLayout.size(ofValue: address) - capacity + socketPath.utf8.count
    let text = Array(states.map(\.assignment).joined(separator: "\n").utf8)
    _ = withUnsafeBytes(of: &address) { raw in
      text.withUnsafeBytes { bytes in
        sendto(
          descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL),
          raw.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(length))
      }
    }
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
