/// Why the state folder, or a file in it, cannot be used.
package struct StateError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Problem: Error, Equatable, Sendable {
    /// The folder is not there.
    case missing
    /// It cannot be read; the system's words.
    case unreadable(String)
    /// It cannot be written, and what was there before is still there; the system's words.
    case unwritable(String)
    /// Others than its owner may use it; the permission bits.
    case exposed(mode: UInt32)
    /// It belongs to somebody else than this process's user and root.
    case foreign
    /// The file does not hold what it should.
    case corrupt
    /// A later version wrote the file.
    case laterVersion(UInt64)
    /// The daemon with this process id uses the folder.
    case inUse(process: Int32)
  }

  /// The folder or the file.
  package let path: String
  /// What is wrong with it.
  package let problem: Problem

  /// `PATH: what is wrong`, without a word of what the file holds.
  package var description: String { "\(path): \(problem.words)" }
}

extension StateError.Problem {
  fileprivate var words: String {
    switch self {
    case .missing: "no such folder"
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .unwritable(let reason): "cannot be written: \(reason)"
    case .exposed(let mode):
      "others than its owner may use it (mode \(String(mode, radix: 8))); "
        + "consider its contents known, make a new setup code, and remove the permissions"
    case .foreign: "belongs to another user"
    case .corrupt: "is damaged"
    case .laterVersion(let version): "was written by a later version (format \(version))"
    case .inUse(let process): "is in use by the daemon with process id \(process)"
    }
  }
}
