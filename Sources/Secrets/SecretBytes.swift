internal import Glibc

/// Bytes that are wiped when the last reference goes, and that do not show in text.
///
/// Descriptions, dumps and string interpolation give `<secret>`. Copying the elements out, as in
/// `Array(secret)`, makes a copy that nobody wipes: do so only where an API takes nothing else.
/// Values may be shared between threads.
package final class SecretBytes: @unchecked Sendable {
  // Unchecked, for this is written in `init` and `deinit` only, when no other reference exists.
  private let storage: UnsafeMutableRawBufferPointer

  /// Copies `bytes`; the source stays as it is.
  package init(_ bytes: some Collection<UInt8>) {
    storage = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    storage.copyBytes(from: bytes)
  }

  /// Copies `bytes`, then overwrites the source with zeros.
  ///
  /// Other copies of the array, if there are any, keep the bytes.
  package convenience init(wiping bytes: inout [UInt8]) {
    self.init(bytes)
    bytes.withUnsafeMutableBytes { source in
      if let base = source.baseAddress { explicit_bzero(base, source.count) }
    }
  }

  /// Lets `body` write `count` bytes, which are zero until then.
  package init<Failure: Error>(
    count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    storage = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    storage.initializeMemory(as: UInt8.self, repeating: 0)
    try body(storage)
  }

  deinit {
    if let base = storage.baseAddress { explicit_bzero(base, storage.count) }
    storage.deallocate()
  }

  /// Calls `body` with the bytes, which are valid during the call only.
  package func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(storage))
  }
}

extension SecretBytes: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { storage.count }
  package subscript(position: Int) -> UInt8 {
    precondition(storage.indices.contains(position), "index out of range")
    return storage[position]
  }
}

extension SecretBytes: Equatable {
  /// Compares in a time that depends on the lengths alone.
  package static func == (left: SecretBytes, right: SecretBytes) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(left, right) { difference |= one ^ other }
    return difference == 0
  }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "<secret>" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
