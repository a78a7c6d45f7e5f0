internal import Glibc
internal import Synchronization

/// Standard output and standard error, written at once and in whole pieces.
///
/// `print` holds lines back in a pipe, and loses them when the process is ended.
final class Output: Sendable {
  private let standardOutput: Int32
  private let standardError: Int32
  private let whenClosed = Mutex<(@Sendable () -> Void)?>(nil)

  /// Writes to the process's own streams, where no others are given.
  init(standardOutput: Int32 = STDOUT_FILENO, standardError: Int32 = STDERR_FILENO) {
    self.standardOutput = standardOutput
    self.standardError = standardError
  }

  /// Calls `action` once, when the reader of standard output turns out to be gone.
  func onClosed(_ action: @escaping @Sendable () -> Void) { whenClosed.withLock { $0 = action } }

  /// Writes to standard output.
  func write(_ text: String) {
    if Self.write(text, to: standardOutput) { return }
    let action = whenClosed.withLock { $0.take() }
    action?()
  }

  /// Writes to standard error.
  func writeError(_ text: String) { _ = Self.write(text, to: standardError) }

  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 {
        switch errno {
        case EINTR: continue
        case EAGAIN:
          // Somebody else made the terminal or the pipe non-blocking.
          var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&wait, 1, -1)
          continue
        default: return false
        }
      }
      rest = rest.dropFirst(written)
    }
    return true
  }
}
