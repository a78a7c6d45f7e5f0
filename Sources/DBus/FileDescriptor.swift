internal import Glibc

/// An open file descriptor with one owner: closed when the last reference goes.
package final class FileDescriptor: Sendable, Hashable {
  /// The number; valid while this object lives.
  package let number: Int32

  /// Takes over an open descriptor.
  package init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  package static func == (a: FileDescriptor, b: FileDescriptor) -> Bool { a.number == b.number }
  package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
