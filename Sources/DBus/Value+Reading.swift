internal import CDBus

extension Value {
  /// The arguments of a received message, which libdbus has validated.
  static func readAll(_ message: OpaquePointer) throws(BusError) -> [Value] {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
    return try readSiblings(&iterator)
  }

  private static func readSiblings(_ iterator: inout DBusMessageIter) throws(BusError) -> [Value] {
    var values: [Value] = []
    while dbus_message_iter_get_arg_type(&iterator) != TypeCode.invalid {
      values.append(try read(&iterator))
      dbus_message_iter_next(&iterator)
    }
    return values
  }

  private static func inside(_ iterator: inout DBusMessageIter) -> DBusMessageIter {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    return inner
  }

  private static func read(_ iterator: inout DBusMessageIter) throws(BusError) -> Value {
    switch dbus_message_iter_get_arg_type(&iterator) {
    case TypeCode.byte: return .byte(basic(&iterator, 0))
    case TypeCode.boolean: return .boolean(basic(&iterator, dbus_bool_t(0)) != 0)
    case TypeCode.int16: return .int16(basic(&iterator, 0))
    case TypeCode.uint16: return .uint16(basic(&iterator, 0))
    case TypeCode.int32: return .int32(basic(&iterator, 0))
    case TypeCode.uint32: return .uint32(basic(&iterator, 0))
    case TypeCode.int64: return .int64(basic(&iterator, 0))
    case TypeCode.uint64: return .uint64(basic(&iterator, 0))
    case TypeCode.double: return .double(basic(&iterator, 0))
    case TypeCode.string: return .string(text(&iterator))
    case TypeCode.objectPath: return .objectPath(ObjectPath(unchecked: text(&iterator)))
    case TypeCode.signature: return .signature(try signature(text(&iterator)))
    case TypeCode.unixFD:
      // libdbus hands out a duplicate that is ours to close; -1 when it could not make one.
      let number: Int32 = basic(&iterator, -1)
      guard number >= 0 else {
        throw BusError(name: BusError.Name.failed, message: "no file descriptor left")
      }
      return .unixFD(FileDescriptor(owning: number))
    case TypeCode.variant:
      var inner = inside(&iterator)
      return .variant(try read(&inner))
    case TypeCode.structure:
      var inner = inside(&iterator)
      return .structure(try readSiblings(&inner))
    case TypeCode.array: return try readArray(&iterator)
    default: throw BusError(name: BusError.Name.failed, message: "a value of an unknown type")
    }
  }

  private static func readArray(_ iterator: inout DBusMessageIter) throws(BusError) -> Value {
    var inner = inside(&iterator)
    guard let raw = dbus_message_iter_get_signature(&iterator) else { throw BusError.noMemory }
    defer { dbus_free(raw) }
    guard let type = try signature(String(cString: raw)).types.first else {
      throw BusError(name: BusError.Name.failed, message: "an array without a type")
    }
    switch type {
    case .array(.byte):
      var start: UnsafePointer<UInt8>?
      var count: Int32 = 0
      dbus_message_iter_get_fixed_array(&inner, &start, &count)
      return .bytes(Array(UnsafeBufferPointer(start: start, count: Int(count))))
    case .array(let element):
      return .array(element: element, try readSiblings(&inner))
    case .dictionary(let keyType, let valueType):
      var entries: [Entry] = []
      while dbus_message_iter_get_arg_type(&inner) != TypeCode.invalid {
        var pair = inside(&inner)
        let key = try read(&pair)
        dbus_message_iter_next(&pair)
        entries.append(Entry(key, try read(&pair)))
        dbus_message_iter_next(&inner)
      }
      return .dictionary(key: keyType, value: valueType, entries)
    default: throw BusError(name: BusError.Name.failed, message: "an array of no array type")
    }
  }

  private static func basic<T: BitwiseCopyable>(_ iterator: inout DBusMessageIter, _ initial: T)
    -> T
  {
    var value = initial
    dbus_message_iter_get_basic(&iterator, &value)
    return value
  }

  private static func text(_ iterator: inout DBusMessageIter) -> String {
    var text: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &text)
    return text.map { String(cString: $0) } ?? ""
  }

  private static func signature(_ text: String) throws(BusError) -> Signature {
    guard let signature = Signature(text) else {
      throw BusError(name: BusError.Name.failed, message: "an invalid signature")
    }
    return signature
  }
}
