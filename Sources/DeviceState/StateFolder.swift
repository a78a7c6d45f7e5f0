internal import Glibc
internal import Secrets

/// The folder in which the device keeps what has to outlive it: `/var/lib/wifi-provisiond`.
///
/// Files there are read and written whole. Writing gives the old contents or the new ones, never a
/// part, whenever the power goes; when it returns, the new ones are on the storage. All calls
/// block: for what a slow card takes, which may be tenths of a second.
package final class StateFolder: Sendable {
  /// The path as it was given.
  package let path: String
  let descriptor: Int32
  private let calls: FileCalls

  /// No file here needs more.
  private static let largestFile = 4096

  /// Opens the folder.
  ///
  /// - Parameter create: whether to make it where it is not there; the one around it has to be.
  /// - Throws: also when it is another user's, or others may write to it.
  package convenience init(_ path: String, create: Bool = false) throws(StateError) {
    try self.init(path, create: create, calls: .system)
  }

  init(_ path: String, create: Bool, calls: FileCalls) throws(StateError) {
    if create, mkdir(path, 0o700) != 0, errno != EEXIST {
      throw StateError(path: path, problem: .unwritable(reason(errno)))
    }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let error = errno
      throw StateError(
        path: path, problem: error == ENOENT ? .missing : .unreadable(reason(error)))
    }
    self.path = path
    self.descriptor = descriptor
    self.calls = calls
    // Whoever may write to the folder may put another file in the place of one of ours.
    try check(descriptor, path: path, forbidden: 0o022)
  }

  deinit { close(descriptor) }

  /// The contents of a file; nil when it is not there.
  ///
  /// - Throws: also when it is another user's, others may use it, or it is no plain file.
  func read(_ name: String) throws(StateError) -> SecretBytes? {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      let error = errno
      if error == ENOENT { return nil }
      throw self.error(.unreadable(reason(error)), in: name)
    }
    defer { close(file) }
    try check(file, path: path(of: name), forbidden: 0o077, kind: S_IFREG)
    var bytes = [UInt8](repeating: 0, count: Self.largestFile + 1)
    defer { _ = SecretBytes(wiping: &bytes) }
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes {
        Glibc.read(file, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if got < 0 {
        let error = errno
        if error == EINTR { continue }
        throw self.error(.unreadable(reason(error)), in: name)
      }
      if got == 0 { break }
      count += got
    }
    guard count <= Self.largestFile else { throw error(.corrupt, in: name) }
    return SecretBytes(bytes[..<count])
  }

  /// Puts a file with these contents in the place of the one of that name.
  ///
  /// - Throws: after which the old contents are still there, or, where only the last step failed,
  ///   the new ones may be.
  func write(_ bytes: SecretBytes, to name: String) throws(StateError) {
    // Of this process alone, so that two that write at once do not mix.
    let draft = ".\(name).\(getpid())"
    unlinkat(descriptor, draft, 0)
    let file = calls.create(descriptor, draft)
    guard file >= 0 else { throw error(.unwritable(reason(errno)), in: name) }
    do {
      defer { close(file) }
      do throws(StateError) {
        try fill(file, with: bytes, name: name)
      } catch {
        unlinkat(descriptor, draft, 0)
        throw error
      }
    }
    guard calls.replace(descriptor, draft, name) == 0 else {
      let error = errno
      unlinkat(descriptor, draft, 0)
      throw self.error(.unwritable(reason(error)), in: name)
    }
    // Without this, the power's end could bring the old file back.
    guard calls.flush(descriptor) == 0 else {
      throw error(.unwritable(reason(errno)), in: name)
    }
  }

  func error(_ problem: StateError.Problem, in name: String) -> StateError {
    StateError(path: path(of: name), problem: problem)
  }

  /// Writes everything, and waits until it is on the storage: before the name points to it, for
  /// otherwise the name could survive the power's end, and the contents not.
  private func fill(_ file: Int32, with bytes: SecretBytes, name: String) throws(StateError) {
    var offset = 0
    while offset < bytes.count {
      let written = bytes.withUnsafeBytes {
        calls.write(file, UnsafeRawBufferPointer(rebasing: $0[offset...]))
      }
      if written < 0 {
        let error = errno
        if error == EINTR { continue }
        throw self.error(.unwritable(reason(error)), in: name)
      }
      offset += written
    }
    guard calls.flush(file) == 0 else { throw error(.unwritable(reason(errno)), in: name) }
  }

  private func path(of name: String) -> String { "\(path)/\(name)" }
}

/// Refuses what belongs to somebody else, what has one of the forbidden permission bits, and what
/// is not of the kind.
private func check(
  _ descriptor: Int32, path: String, forbidden: mode_t, kind: mode_t? = nil
) throws(StateError) {
  var status = stat()
  guard fstat(descriptor, &status) == 0 else {
    throw StateError(path: path, problem: .unreadable(reason(errno)))
  }
  if let kind, status.st_mode & S_IFMT != kind { throw StateError(path: path, problem: .corrupt) }
  guard status.st_uid == geteuid() || status.st_uid == 0 else {
    throw StateError(path: path, problem: .foreign)
  }
  guard status.st_mode & forbidden == 0 else {
    throw StateError(path: path, problem: .exposed(mode: status.st_mode & 0o7777))
  }
}

/// The system's words for an error number.
func reason(_ code: Int32) -> String {
  strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
