internal import Glibc

/// The claim of a running daemon on its state folder, which ends with the process.
///
/// A record lock of `fcntl(2)`: unlike a file with a process id, it cannot be left behind, and the
/// system says who holds it. A process has one such object a folder, as its end, or that of any
/// other descriptor of the file, ends the claim.
package final class DaemonLock: Sendable {
  private static let name = "lock"
  private let descriptor: Int32

  /// Claims the folder.
  ///
  /// - Throws: ``StateError/Problem/inUse(process:)`` when another daemon has claimed it.
  package init(_ folder: StateFolder) throws(StateError) {
    descriptor = try Self.open(folder, O_RDWR | O_CREAT)
    var request = flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
    guard fcntl(descriptor, F_SETLK, &request) != 0 else { return }
    let error = errno
    if let holder = Self.holder(descriptor) {
      throw folder.error(.inUse(process: holder), in: Self.name)
    }
    throw folder.error(.unwritable(reason(error)), in: Self.name)
  }

  deinit { close(descriptor) }

  /// The process id of the daemon that has claimed the folder; nil when none runs.
  ///
  /// Not for the daemon itself: it would end its claim.
  package static func holder(of folder: StateFolder) throws(StateError) -> Int32? {
    let descriptor: Int32
    do {
      descriptor = try open(folder, O_RDWR)
    } catch {
      if error.problem == .missing { return nil }
      throw error
    }
    defer { close(descriptor) }
    return holder(descriptor)
  }

  private static func open(_ folder: StateFolder, _ flags: Int32) throws(StateError) -> Int32 {
    let descriptor = openat(folder.descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let error = errno
      throw folder.error(error == ENOENT ? .missing : .unreadable(reason(error)), in: name)
    }
    return descriptor
  }

  private static func holder(_ descriptor: Int32) -> Int32? {
    var request = flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
    guard fcntl(descriptor, F_GETLK, &request) == 0, request.l_type != Int16(F_UNLCK) else {
      return nil
    }
    return request.l_pid
  }
}
