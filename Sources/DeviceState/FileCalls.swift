internal import Glibc

/// The system calls that make a file durable, so that a test can note their order and let each
/// fail.
///
/// Each returns what the C function returns, and leaves `errno` as that does.
struct FileCalls: Sendable {
  /// Makes a new file in a folder, readable and writable by its owner alone.
  var create: @Sendable (_ folder: Int32, _ name: String) -> Int32
  var write: @Sendable (_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
  /// Returns once the file, or the folder's list of names, is on the storage.
  var flush: @Sendable (_ descriptor: Int32) -> Int32
  /// Puts a file in the place of another in the same folder, in one step.
  var replace: @Sendable (_ folder: Int32, _ old: String, _ new: String) -> Int32

  static let system = FileCalls(
    create: { openat($0, $1, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) },
    write: { Glibc.write($0, $1.baseAddress, $1.count) },
    flush: { fsync($0) },
    replace: { renameat($0, $1, $0, $2) })
}
