/// A key with its value, and where it stands.
package struct Entry: Equatable, Sendable {
  /// The key.
  package let key: String
  /// The value's bytes, without the blanks around it.
  package let value: [UInt8]
  /// The path of the file, as it was given.
  package let file: String
  /// The line, counted from 1.
  package let line: Int
}
