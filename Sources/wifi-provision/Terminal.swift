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

  /// Asks for a secret and runs `body` once a line was typed.
  ///
  /// A password does not show. The digits of a setup code do: they are there to be compared.
  /// The terminal is as before when this returns, also when a signal ends the wait.
  func ask<Result>(
    for secret: Secret, _ body: (Int32) throws(SecretError) -> Result
  ) throws(SecretError) -> Result {
    var normal = termios()
    guard tcgetattr(descriptor, &normal) == 0 else { throw SecretError(secret, .noTerminal) }

    // What ends the wait: a line, or a byte that the handler of a signal writes here.
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SecretError(secret, .noTerminal) }
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
    var asking = normal
    if !secret.isShown {
      asking.c_lflag = (asking.c_lflag & ~tcflag_t(ECHO)) | tcflag_t(ECHONL)
    }
    tcsetattr(descriptor, TCSAFLUSH, &asking)
    defer {
      tcsetattr(descriptor, TCSAFLUSH, &normal)
      for (signal, action) in before {
        var action = action
        sigaction(signal, &action, nil)
      }
      for end in ends { close(end) }
    }

    _ = secret.prompt.withCString { write(descriptor, $0, strlen($0)) }
    var waits = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0),
    ]
    while poll(&waits, nfds_t(waits.count), -1) < 0, errno == EINTR {}
    var signal: UInt8 = 0
    if waits[1].revents != 0, read(ends[0], &signal, 1) == 1 {
      _ = write(descriptor, "\n", 1)
      throw SecretError(secret, .interrupted(signal: Int32(signal)))
    }
    return try body(descriptor)
  }

  // With the one that stops a program: the shell would be left with a terminal without echo.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
}

// A handler reaches no more than this, and may do little more than write there.
private let wakeUp = Atomic<Int32>(-1)
