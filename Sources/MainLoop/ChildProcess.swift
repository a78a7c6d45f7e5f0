internal import CGLib
internal import Glibc
internal import Synchronization

/// A program that was started and is waited for on the loop.
public final class ChildProcess: Sendable {
  /// How a program ended.
  public enum End: Sendable, Equatable {
    case exited(status: Int32)
    case killed(signal: Int32)
  }

  /// The program could not be started.
  public struct StartError: Error, CustomStringConvertible {
    /// The program's name or path.
    public let program: String
    /// The `errno` of `posix_spawnp`.
    public let errorNumber: Int32

    /// The program and the system's words for the reason.
    public var description: String {
      "cannot start \(program): \(String(cString: strerror(errorNumber)))"
    }
  }

  private enum State {
    case running([CheckedContinuation<End, Never>])
    case ended(End)
  }

  /// The process id; it may belong to somebody else once ``end()`` has returned.
  public let id: Int32
  private let state = Mutex<State>(.running([]))
  private let leadsGroup: Bool

  /// Starts a program, found through `PATH`.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - environment: its whole environment as `NAME=value`; nil for this program's own.
  ///   - standardInput: a descriptor for its input, or nil for this program's own; the same for
  ///     the other two.
  ///   - leadsGroup: whether it has a process group of its own, which then gets its signals.
  ///   - loop: where its end is noticed.
  public init(
    _ arguments: [String], environment: [String]? = nil, standardInput: Int32? = nil,
    standardOutput: Int32? = nil, standardError: Int32? = nil, leadsGroup: Bool = false,
    loop: MainLoop
  ) throws(StartError) {
    let program = arguments.first ?? ""
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (wanted, descriptor) in [(standardInput, 0), (standardOutput, 1), (standardError, 2)] {
      if let wanted { posix_spawn_file_actions_adddup2(&actions, wanted, Int32(descriptor)) }
    }
    // Whatever else is open here is ours: a pipe that a child keeps open never ends.
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The loop's thread may block signals; a child starts with a clean slate.
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // In the group that is named for it, unless the flag is missing.
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags =
      POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (leadsGroup ? POSIX_SPAWN_SETPGROUP : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var pid: pid_t = 0
    let status = Self.withCStrings(arguments) { argv in
      guard let environment else {
        return posix_spawnp(&pid, program, &actions, &attributes, argv, environ)
      }
      return Self.withCStrings(environment) {
        posix_spawnp(&pid, program, &actions, &attributes, argv, $0)
      }
    }
    guard status == 0 else { throw StartError(program: program, errorNumber: status) }
    id = pid
    self.leadsGroup = leadsGroup
    watch(on: loop)
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }

  private func watch(on loop: MainLoop) {
    guard let source = g_child_watch_source_new(id) else { return }
    let ended: @convention(c) (GPid, gint, gpointer?) -> Void = { _, status, data in
      guard let data else { return }
      Unmanaged<ChildProcess>.fromOpaque(data).takeUnretainedValue().finish(waitStatus: status)
    }
    g_source_set_callback(
      source, unsafeBitCast(ended, to: GSourceFunc.self), Unmanaged.passRetained(self).toOpaque(),
      { data in if let data { Unmanaged<ChildProcess>.fromOpaque(data).release() } })
    g_source_attach(source, OpaquePointer(loop.context))
    g_source_unref(source)
  }

  private func finish(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    let end: End =
      signal == 0 ? .exited(status: (waitStatus >> 8) & 0xff) : .killed(signal: signal)
    let waiting = state.withLock { state in
      guard case .running(let waiting) = state else { return [CheckedContinuation<End, Never>]() }
      state = .ended(end)
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: end) }
  }

  /// Waits for the program's end; the loop must be running.
  public func end() async -> End {
    await withCheckedContinuation { continuation in
      let known: End? = state.withLock { state in
        switch state {
        case .running(let waiting):
          state = .running(waiting + [continuation])
          return nil
        case .ended(let end): return end
        }
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// Sends a signal to the program, or to the group that it leads, unless the program has ended.
  public func send(signal: Int32) {
    state.withLock { state in
      if case .running = state { _ = kill(leadsGroup ? -id : id, signal) }
    }
  }
}
