/// libdbus's type codes: macros of casts, which Swift does not import.
enum TypeCode {
  static let invalid: Int32 = 0
  static let byte = Int32(UInt8(ascii: "y"))
  static let boolean = Int32(UInt8(ascii: "b"))
  static let int16 = Int32(UInt8(ascii: "n"))
  static let uint16 = Int32(UInt8(ascii: "q"))
  static let int32 = Int32(UInt8(ascii: "i"))
  static let uint32 = Int32(UInt8(ascii: "u"))
  static let int64 = Int32(UInt8(ascii: "x"))
  static let uint64 = Int32(UInt8(ascii: "t"))
  static let double = Int32(UInt8(ascii: "d"))
  static let string = Int32(UInt8(ascii: "s"))
  static let objectPath = Int32(UInt8(ascii: "o"))
  static let signature = Int32(UInt8(ascii: "g"))
  static let unixFD = Int32(UInt8(ascii: "h"))
  static let array = Int32(UInt8(ascii: "a"))
  static let variant = Int32(UInt8(ascii: "v"))
  static let structure = Int32(UInt8(ascii: "r"))
  static let dictionaryEntry = Int32(UInt8(ascii: "e"))
}
