internal import CDBus

/// libdbus closes the connection when a message nests deeper, so it is refused before.
private let maximumDepth = 64
/// The specification's limit for one array, in bytes.
private let maximumArrayLength = 1 << 26

extension Value {
  /// Checks all that libdbus would trap on or a bus would close the connection for.
  func checkSendable(depth: Int = 0) throws(BusError) {
    guard depth <= maximumDepth else {
      throw BusError.invalidArguments("a value nests deeper than \(maximumDepth) levels")
    }
    switch self {
    case .string(let string):
      guard !string.utf8.contains(0) else {
        throw BusError.invalidArguments("a string contains a NUL character")
      }
    case .variant(let inner):
      guard Signature([inner.type]) != nil else {
        throw BusError.invalidArguments("a variant's signature is too long or too deep")
      }
      try inner.checkSendable(depth: depth + 1)
    case .bytes(let bytes):
      guard bytes.count <= maximumArrayLength else {
        throw BusError.invalidArguments("an array is longer than 64 MiB")
      }
    case .array(let element, let elements):
      guard element != .byte else {
        throw BusError.invalidArguments("bytes are sent as Value.bytes")
      }
      for value in elements {
        guard value.type == element else {
          throw BusError.invalidArguments(
            "an array of \(element.code) holds a value of type \(value.type.code)")
        }
        try value.checkSendable(depth: depth + 1)
      }
    case .dictionary(let keyType, let valueType, let entries):
      guard keyType.isBasic else {
        throw BusError.invalidArguments("a dictionary's key has the type \(keyType.code)")
      }
      for entry in entries {
        guard entry.key.type == keyType, entry.value.type == valueType else {
          throw BusError.invalidArguments(
            "a dictionary of \(keyType.code) to \(valueType.code) holds "
              + "\(entry.key.type.code) to \(entry.value.type.code)")
        }
        try entry.key.checkSendable(depth: depth + 2)
        try entry.value.checkSendable(depth: depth + 2)
      }
    case .structure(let fields):
      guard !fields.isEmpty else { throw BusError.invalidArguments("a structure has no field") }
      for field in fields { try field.checkSendable(depth: depth + 1) }
    default: break
    }
  }

  /// Appends a checked value.
  func append(to iterator: inout DBusMessageIter) throws(BusError) {
    switch self {
    case .byte(let value): try Self.append(value, TypeCode.byte, &iterator)
    case .boolean(let value):
      try Self.append(dbus_bool_t(value ? 1 : 0), TypeCode.boolean, &iterator)
    case .int16(let value): try Self.append(value, TypeCode.int16, &iterator)
    case .uint16(let value): try Self.append(value, TypeCode.uint16, &iterator)
    case .int32(let value): try Self.append(value, TypeCode.int32, &iterator)
    case .uint32(let value): try Self.append(value, TypeCode.uint32, &iterator)
    case .int64(let value): try Self.append(value, TypeCode.int64, &iterator)
    case .uint64(let value): try Self.append(value, TypeCode.uint64, &iterator)
    case .double(let value): try Self.append(value, TypeCode.double, &iterator)
    case .string(let value): try Self.append(value, TypeCode.string, &iterator)
    case .objectPath(let value): try Self.append(value.string, TypeCode.objectPath, &iterator)
    case .signature(let value): try Self.append(value.description, TypeCode.signature, &iterator)
    case .unixFD(let value): try Self.append(value.number, TypeCode.unixFD, &iterator)
    case .variant(let inner):
      try Self.container(TypeCode.variant, inner.type.code, &iterator) {
        (inside) throws(BusError) in try inner.append(to: &inside)
      }
    case .bytes(let bytes):
      try Self.container(TypeCode.array, "y", &iterator) { (inside) throws(BusError) in
        let done = bytes.withUnsafeBufferPointer { buffer in
          // An empty array's address may be nil, which libdbus does not take.
          guard var start = buffer.baseAddress, !buffer.isEmpty else { return true }
          return withUnsafePointer(to: &start) {
            dbus_message_iter_append_fixed_array(
              &inside, TypeCode.byte, $0, Int32(clamping: buffer.count)) != 0
          }
        }
        guard done else { throw BusError.noMemory }
      }
    case .array(let element, let elements):
      try Self.container(TypeCode.array, element.code, &iterator) { (inside) throws(BusError) in
        for value in elements { try value.append(to: &inside) }
      }
    case .dictionary(let key, let value, let entries):
      try Self.container(TypeCode.array, "{" + key.code + value.code + "}", &iterator) {
        (inside) throws(BusError) in
        for entry in entries {
          try Self.container(TypeCode.dictionaryEntry, nil, &inside) { (pair) throws(BusError) in
            try entry.key.append(to: &pair)
            try entry.value.append(to: &pair)
          }
        }
      }
    case .structure(let fields):
      try Self.container(TypeCode.structure, nil, &iterator) { (inside) throws(BusError) in
        for field in fields { try field.append(to: &inside) }
      }
    }
  }

  private static func append(
    _ value: some BitwiseCopyable, _ type: Int32, _ it: inout DBusMessageIter
  )
    throws(BusError)
  {
    let done = withUnsafePointer(to: value) { dbus_message_iter_append_basic(&it, type, $0) }
    guard done != 0 else { throw BusError.noMemory }
  }

  private static func append(_ value: String, _ type: Int32, _ it: inout DBusMessageIter)
    throws(BusError)
  {
    let done = value.withCString { text in
      withUnsafePointer(to: text) { dbus_message_iter_append_basic(&it, type, $0) }
    }
    guard done != 0 else { throw BusError.noMemory }
  }

  private static func container(
    _ type: Int32, _ contents: String?, _ iterator: inout DBusMessageIter,
    _ body: (inout DBusMessageIter) throws(BusError) -> Void
  ) throws(BusError) {
    var inside = DBusMessageIter()
    guard dbus_message_iter_open_container(&iterator, type, contents, &inside) != 0 else {
      throw BusError.noMemory
    }
    do {
      try body(&inside)
    } catch {
      dbus_message_iter_abandon_container(&iterator, &inside)
      throw error
    }
    guard dbus_message_iter_close_container(&iterator, &inside) != 0 else {
      throw BusError.noMemory
    }
  }
}
