/// One complete type (D-Bus specification, "Type system").
package indirect enum SingleType: Sendable, Hashable {
  case byte
  case boolean
  case int16
  case uint16
  case int32
  case uint32
  case int64
  case uint64
  case double
  case string
  case objectPath
  case signature
  case unixFD
  case variant
  case array(SingleType)
  /// An array of dictionary entries; the key is a basic type.
  case dictionary(key: SingleType, value: SingleType)
  /// One field or more.
  case structure([SingleType])

  /// Whether the type may be a dictionary's key.
  package var isBasic: Bool {
    switch self {
    case .variant, .array, .dictionary, .structure: false
    default: true
    }
  }

  /// The type as its code.
  package var code: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .unixFD: "h"
    case .variant: "v"
    case .array(let element): "a" + element.code
    case .dictionary(let key, let value): "a{" + key.code + value.code + "}"
    case .structure(let fields): "(" + fields.map(\.code).joined() + ")"
    }
  }
}

/// Zero or more complete types, valid by construction.
package struct Signature: Sendable, Hashable, CustomStringConvertible {
  /// The specification's limits: 255 bytes, 32 arrays and 32 structures deep.
  private static let maximumLength = 255
  private static let maximumDepth = 32

  package let types: [SingleType]

  package static let empty = Signature(unchecked: [])

  /// Nil when the types' codes exceed the specification's limits.
  package init?(_ types: [SingleType]) { self.init(types.map(\.code).joined()) }

  init(unchecked types: [SingleType]) { self.types = types }

  /// Nil when the text is no signature.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    var rest = text.utf8[...]
    var types: [SingleType] = []
    while !rest.isEmpty {
      guard let type = Self.parse(&rest, arrays: 0, structures: 0) else { return nil }
      types.append(type)
    }
    self.types = types
  }

  /// A signature written in the source.
  ///
  /// - Precondition: the literal is a valid signature.
  package init(literal: StaticString) {
    guard let signature = Signature(literal.description) else {
      preconditionFailure("not a signature")
    }
    self = signature
  }

  package var description: String { types.map(\.code).joined() }

  private static func parse(_ rest: inout Substring.UTF8View, arrays: Int, structures: Int)
    -> SingleType?
  {
    guard let code = rest.popFirst() else { return nil }
    switch code {
    case UInt8(ascii: "y"): return .byte
    case UInt8(ascii: "b"): return .boolean
    case UInt8(ascii: "n"): return .int16
    case UInt8(ascii: "q"): return .uint16
    case UInt8(ascii: "i"): return .int32
    case UInt8(ascii: "u"): return .uint32
    case UInt8(ascii: "x"): return .int64
    case UInt8(ascii: "t"): return .uint64
    case UInt8(ascii: "d"): return .double
    case UInt8(ascii: "s"): return .string
    case UInt8(ascii: "o"): return .objectPath
    case UInt8(ascii: "g"): return .signature
    case UInt8(ascii: "h"): return .unixFD
    case UInt8(ascii: "v"): return .variant
    case UInt8(ascii: "a"):
      guard arrays < maximumDepth else { return nil }
      guard rest.first == UInt8(ascii: "{") else {
        return parse(&rest, arrays: arrays + 1, structures: structures).map { .array($0) }
      }
      rest.removeFirst()
      // A dictionary entry counts as a structure (libdbus, dbus-marshal-validate.c).
      guard structures < maximumDepth,
        let key = parse(&rest, arrays: arrays + 1, structures: structures + 1), key.isBasic,
        let value = parse(&rest, arrays: arrays + 1, structures: structures + 1),
        rest.popFirst() == UInt8(ascii: "}")
      else { return nil }
      return .dictionary(key: key, value: value)
    case UInt8(ascii: "("):
      guard structures < maximumDepth else { return nil }
      var fields: [SingleType] = []
      while rest.first != UInt8(ascii: ")") {
        guard let field = parse(&rest, arrays: arrays, structures: structures + 1) else {
          return nil
        }
        fields.append(field)
      }
      rest.removeFirst()
      return fields.isEmpty ? nil : .structure(fields)
    default: return nil
    }
  }
}
