/// The path of an object, valid by construction (D-Bus specification, "Valid object paths").
package struct ObjectPath: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let string: String

  /// Nil when the text is no object path.
  package init?(_ string: String) {
    guard Self.isValid(string) else { return nil }
    self.string = string
  }

  /// A path written in the source.
  ///
  /// - Precondition: the literal is a valid path.
  package init(literal: StaticString) {
    let text = literal.description
    precondition(Self.isValid(text), "not an object path")
    string = text
  }

  init(unchecked string: String) { self.string = string }

  package static let root = ObjectPath(unchecked: "/")

  package var description: String { string }

  package static func < (a: ObjectPath, b: ObjectPath) -> Bool { a.string < b.string }

  /// Whether this path is `other` or below it.
  package func isEqualToOrBelow(_ other: ObjectPath) -> Bool {
    if other.string == "/" || string == other.string { return true }
    return string.utf8.count > other.string.utf8.count + 1
      && string.utf8.starts(with: other.string.utf8)
      && string.utf8[string.utf8.index(string.utf8.startIndex, offsetBy: other.string.utf8.count)]
        == UInt8(ascii: "/")
  }

  /// The path of a child; nil when the element has other characters than `[A-Za-z0-9_]`.
  package func appending(_ element: String) -> ObjectPath? {
    ObjectPath(string == "/" ? "/" + element : string + "/" + element)
  }

  /// The text after the last slash.
  package var lastElement: Substring {
    guard let slash = string.lastIndex(of: "/") else { return string[...] }
    return string[string.index(after: slash)...]
  }

  private static func isValid(_ string: String) -> Bool {
    let bytes = string.utf8
    guard bytes.first == UInt8(ascii: "/") else { return false }
    if bytes.count == 1 { return true }
    var previous: UInt8 = 0
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "/"): if previous == UInt8(ascii: "/") { return false }
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        break
      default: return false
      }
      previous = byte
    }
    return previous != UInt8(ascii: "/")
  }
}
