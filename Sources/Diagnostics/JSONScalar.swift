/// A value of a flat JSON object (RFC 8259), for a program that must stay small: the toolchain's
/// encoder adds megabytes.
package enum JSONScalar: Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case string(String)

  /// An object in one line, its members in this order.
  ///
  /// - Precondition: the names need no escapes.
  package static func object(_ members: [(String, JSONScalar)]) -> String {
    "{" + members.map { "\"\($0)\":\($1.text)" }.joined(separator: ",") + "}"
  }

  private var text: String {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .string(let value): Self.quoted(value)
    }
  }

  private static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
