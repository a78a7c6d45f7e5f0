import Foundation

/// As much of JSON Schema as the schema of the events uses; anything else in it is an error.
struct JSONSchema {
  struct Mismatch: Error, CustomStringConvertible {
    let description: String
  }

  /// A value with its exact type: an `Any` of Foundation's is a number and a truth value at once.
  enum Value: Decodable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int)
    case string(String)
    case array([Value])
    case object([String: Value])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let boolean = try? value.decode(Bool.self) {
        self = .boolean(boolean)
      } else if let integer = try? value.decode(Int.self) {
        self = .integer(integer)
      } else if let string = try? value.decode(String.self) {
        self = .string(string)
      } else if let array = try? value.decode([Value].self) {
        self = .array(array)
      } else {
        self = .object(try value.decode([String: Value].self))
      }
    }

    var type: String {
      switch self {
      case .null: "null"
      case .boolean: "boolean"
      case .integer: "integer"
      case .string: "string"
      case .array: "array"
      case .object: "object"
      }
    }

    var string: String? { if case .string(let string) = self { string } else { nil } }
    var object: [String: Value]? { if case .object(let object) = self { object } else { nil } }
  }

  private let root: [String: Value]

  /// The schema of the lines of `--json`.
  static func events() throws -> JSONSchema {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../provisioning-spec/events.schema.json")
    let value = try JSONDecoder().decode(Value.self, from: Data(contentsOf: path))
    guard let root = value.object else { throw Mismatch(description: "no schema") }
    return JSONSchema(root: root)
  }

  /// Checks a line, and that no member is there which the schema does not describe.
  func check(_ line: String) throws {
    try check(JSONDecoder().decode(Value.self, from: Data(line.utf8)), root, "event")
  }

  private func check(_ value: Value, _ schema: [String: Value], _ path: String) throws {
    for (keyword, rule) in schema {
      switch (keyword, rule) {
      case ("$schema", _), ("title", _), ("description", _), ("$defs", _), ("properties", _): break
      case ("format", .string("ipv4")):
        let parts = value.string?.split(separator: ".").compactMap { UInt8($0) }
        try expect(parts?.count == 4, path, "is an IPv4 address")
      case ("$ref", .string(let reference)):
        let name = reference.split(separator: "/").last.map(String.init) ?? ""
        guard let target = root["$defs"]?.object?[name]?.object else {
          throw Mismatch(description: "\(reference) is not in the schema")
        }
        try check(value, target, path)
      case ("type", .string(let type)): try expect(value.type == type, path, "is \(type)")
      case ("type", .array(let types)):
        try expect(types.contains(.string(value.type)), path, "is one of \(types)")
      case ("const", let constant): try expect(value == constant, path, "is \(constant)")
      case ("enum", .array(let words)): try expect(words.contains(value), path, "is in \(words)")
      case ("pattern", .string(let pattern)):
        let match = value.string?.range(of: pattern, options: .regularExpression)
        try expect(match != nil, path, "matches \(pattern)")
      case ("minimum", .integer(let bound)):
        if case .integer(let number) = value { try expect(number >= bound, path, "≥ \(bound)") }
      case ("maximum", .integer(let bound)):
        if case .integer(let number) = value { try expect(number <= bound, path, "≤ \(bound)") }
      case ("items", .object(let rule)):
        if case .array(let items) = value {
          for item in items { try check(item, rule, "\(path)[]") }
        }
      case ("required", .array(let names)):
        for name in names.compactMap(\.string) {
          try expect(value.object?[name] != nil, path, "has \(name)")
        }
      case ("oneOf", .array(let choices)), ("anyOf", .array(let choices)):
        let failures = choices.compactMap { choice -> String? in
          do {
            try check(value, choice.object ?? [:], path)
            return nil
          } catch {
            return "\(error)"
          }
        }
        let matches = choices.count - failures.count
        try expect(
          keyword == "oneOf" ? matches == 1 : matches > 0, path, "matches a choice: \(failures)")
      default: throw Mismatch(description: "the schema has an unknown \(keyword)")
      }
    }
    guard let properties = schema["properties"]?.object else { return }
    for (name, member) in value.object ?? [:] {
      guard let rule = properties[name]?.object else {
        throw Mismatch(description: "\(path) has \(name), which the schema does not know")
      }
      try check(member, rule, "\(path).\(name)")
    }
  }

  private func expect(_ condition: Bool, _ path: String, _ what: String) throws {
    if !condition { throw Mismatch(description: "\(path): expected that it \(what)") }
  }
}
