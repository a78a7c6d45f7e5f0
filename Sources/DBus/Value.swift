/// A D-Bus value of any type.
package indirect enum Value: Sendable, Hashable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  /// Valid UTF-8 without NUL; a NUL is refused when the value is sent.
  case string(String)
  case objectPath(ObjectPath)
  case signature(Signature)
  case unixFD(FileDescriptor)
  case variant(Value)
  /// An array of bytes: the one spelling of the type `ay`.
  case bytes([UInt8])
  /// Any other array; every element has the element type.
  case array(element: SingleType, [Value])
  /// The entries in the order of the wire.
  case dictionary(key: SingleType, value: SingleType, [Entry])
  /// One field or more.
  case structure([Value])

  /// A dictionary's entry.
  package struct Entry: Sendable, Hashable {
    package let key: Value
    package let value: Value
    package init(_ key: Value, _ value: Value) {
      self.key = key
      self.value = value
    }
  }

  package var type: SingleType {
    switch self {
    case .byte: .byte
    case .boolean: .boolean
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .double: .double
    case .string: .string
    case .objectPath: .objectPath
    case .signature: .signature
    case .unixFD: .unixFD
    case .variant: .variant
    case .bytes: .array(.byte)
    case .array(let element, _): .array(element)
    case .dictionary(let key, let value, _): .dictionary(key: key, value: value)
    case .structure(let fields): .structure(fields.map(\.type))
    }
  }
}

extension Value {
  /// An array of strings, `as`.
  package static func strings(_ strings: [String]) -> Value {
    .array(element: .string, strings.map { .string($0) })
  }

  /// An array of object paths, `ao`.
  package static func objectPaths(_ paths: [ObjectPath]) -> Value {
    .array(element: .objectPath, paths.map { .objectPath($0) })
  }

  /// A dictionary of strings to variants, `a{sv}`, sorted by key.
  package static func properties(_ properties: [String: Value]) -> Value {
    .dictionary(
      key: .string, value: .variant,
      properties.sorted { $0.key < $1.key }.map { Entry(.string($0.key), .variant($0.value)) })
  }
}

/// Reading a value whose type a peer chose: nil when it is another one. A variant is looked into.
extension Value {
  package var asBool: Bool? {
    switch self {
    case .boolean(let value): value
    case .variant(let inner): inner.asBool
    default: nil
    }
  }

  package var asString: String? {
    switch self {
    case .string(let value): value
    case .variant(let inner): inner.asString
    default: nil
    }
  }

  package var asObjectPath: ObjectPath? {
    switch self {
    case .objectPath(let value): value
    case .variant(let inner): inner.asObjectPath
    default: nil
    }
  }

  package var asBytes: [UInt8]? {
    switch self {
    case .bytes(let value): value
    case .variant(let inner): inner.asBytes
    default: nil
    }
  }

  package var asUnixFD: FileDescriptor? {
    switch self {
    case .unixFD(let value): value
    case .variant(let inner): inner.asUnixFD
    default: nil
    }
  }

  /// Any integer type.
  package var asInteger: Int? {
    switch self {
    case .byte(let value): Int(value)
    case .int16(let value): Int(value)
    case .uint16(let value): Int(value)
    case .int32(let value): Int(value)
    case .uint32(let value): Int(exactly: value)
    case .int64(let value): Int(exactly: value)
    case .uint64(let value): Int(exactly: value)
    case .variant(let inner): inner.asInteger
    default: nil
    }
  }

  /// The elements of an array, bytes included, or the fields of a structure.
  package var asArray: [Value]? {
    switch self {
    case .bytes(let bytes): bytes.map { .byte($0) }
    case .array(_, let elements): elements
    case .structure(let fields): fields
    case .variant(let inner): inner.asArray
    default: nil
    }
  }

  package var asStrings: [String]? {
    switch self {
    case .array(.string, let elements): elements.compactMap(\.asString)
    case .variant(let inner): inner.asStrings
    default: nil
    }
  }

  package var asObjectPaths: [ObjectPath]? {
    switch self {
    case .array(.objectPath, let elements): elements.compactMap(\.asObjectPath)
    case .variant(let inner): inner.asObjectPaths
    default: nil
    }
  }

  package var asEntries: [Entry]? {
    switch self {
    case .dictionary(_, _, let entries): entries
    case .variant(let inner): inner.asEntries
    default: nil
    }
  }

  /// A dictionary with string keys; variants are unwrapped, the last of equal keys counts.
  package var asDictionary: [String: Value]? {
    guard let entries = asEntries else { return nil }
    var result: [String: Value] = [:]
    for entry in entries {
      guard let key = entry.key.asString else { return nil }
      result[key] = entry.value.unwrapped
    }
    return result
  }

  /// The value inside a variant, or the value itself.
  package var unwrapped: Value {
    if case .variant(let inner) = self { inner.unwrapped } else { self }
  }
}
