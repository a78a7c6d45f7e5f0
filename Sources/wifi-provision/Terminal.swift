internal import Glibc
internal import Synchronization

/// The terminal that the program was started from.
struct Terminal: ~Copyable {
  private let descriptor: Int32

  /// Opens it; nil when there is none.
  init?() {
    descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Shows `prompt` and runs `body` once a line was typed, which the terminal did not show.
  ///
  /// The terminal is as before when this returns, also when a signal ends the wait.
  func withoutEcho<Result>(
    prompt: String, _ body: (Int32) throws(PasswordError) -> Result
  ) throws(PasswordError) -> Result {
    var normal = termios()
    guard tcgetattr(descriptor, &normal) == 0 else { throw .noTerminal }

    // What ends the wait: a line, or a byte that the handler of a signal writes here.
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .noTerminal }
    wakeUp.store(ends[1], ordering: .relaxed)
    var catching = sigaction()
    catching.__sigaction_handler.sa_handler = { signal in
      var number = UInt8(truncatingIfNeeded: signal)
      _ = write(wakeUp.load(ordering: .relaxed), &number, 1)
    }
    let before = Self.signals.map { signal in
      var old = sigaction()
      sigaction(signal, &catching, &old)
      return (signal, old)
    }
    var silent = normal
    silent.c_lflag = (silent.c_lflag & ~tcflag_t(ECHO)) | tcflag_t(ECHONL)
    tcsetattr(descriptor, TCSAFLUSH, &silent)
    defer {
      tcsetattr(descriptor, TCSAFLUSH, &normal)
      for (signal, action) in before {
        var action = action
        sigaction(signal, &action, nil)
      }
      for end in ends { close(end) }
    }

    _ = prompt.withCString { write(descriptor, $0, strlen($0)) }
    var waits = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0),
    ]
    while poll(&waits, nfds_t(waits.count), -1) < 0, errno == EINTR {}
    var signal: UInt8 = 0
    if waits[1].revents != 0, read(ends[0], &signal, 1) == 1 {
      _ = write(descriptor, "\n", 1)
      throw .interrupted(signal: Int32(signal))
    }
    return try body(descriptor)
  }

  // With the one that stops a program: the shell would be left with a terminal without echo.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
}

// A handler reaches no more than this, and may do little more than write there.
private let wakeUp = Atomic<Int32>(-1)
