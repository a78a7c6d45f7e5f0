extension SetupURI {
  private static let scheme = "wifiprov"
  private static let version = "1"

  /// The URI, with the setup code in it: for labels and screens, never for a log.
  package var text: String {
    var values = [
      (Key.id, deviceID.description), (.code, String(decoding: code.digits, as: UTF8.self)),
    ]
    if let name { values.append((.name, name)) }
    let query = values.map { "\($0.rawValue)=\(Self.percentEncoded($1))" }.joined(separator: "&")
    return "\(Self.scheme):\(Self.version)?\(query)"
  }

  /// Reads a URI.
  ///
  /// The scheme may be of either case, the keys in any order. Unknown keys are ignored: later minor
  /// versions may add some. A plus sign stands for itself.
  package init(_ text: some Collection<UInt8>) throws(FormatError) {
    let bytes = Array(text.prefix(Self.maximumLength + 1))
    guard bytes.count <= Self.maximumLength else { throw .tooLong(count: text.count) }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      String(decoding: bytes[..<colon], as: UTF8.self).lowercased() == Self.scheme
    else { throw .foreign }
    let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    guard bytes[..<mark].dropFirst(colon + 1).elementsEqual(Self.version.utf8) else {
      throw .unsupportedVersion
    }
    let values = try Self.values(of: bytes[mark...].dropFirst())

    guard let id = values[.id] else { throw .missing(.id) }
    guard let deviceID = DeviceID(String(decoding: id, as: UTF8.self)) else { throw .deviceID }
    guard let digits = values[.code] else { throw .missing(.code) }
    let code: SetupCode
    do throws(SetupCode.FormatError) {
      code = try SetupCode(digits)
    } catch {
      throw .code(error)
    }
    var name: String?
    if let bytes = values[.name] {
      guard let text = String(validating: bytes, as: UTF8.self) else { throw .name }
      name = text
    }
    self.init(deviceID: deviceID, code: code, name: name)
  }

  /// The values of the known keys, decoded.
  private static func values(
    of query: ArraySlice<UInt8>
  ) throws(FormatError) -> [Key: [UInt8]] {
    var values: [Key: [UInt8]] = [:]
    guard !query.isEmpty else { return values }
    for pair in query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
      guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else {
        throw .malformed(offset: pair.endIndex)
      }
      let value = try percentDecoded(pair[(sign + 1)...])
      // Keys are plain words: an encoded one is none of ours.
      guard let key = Key(rawValue: String(decoding: pair[..<sign], as: UTF8.self)) else {
        _ = try percentDecoded(pair[..<sign])
        continue
      }
      guard values.updateValue(value, forKey: key) == nil else { throw .duplicate(key) }
    }
    return values
  }

  /// Leaves the unreserved characters of RFC 3986 as they are, and writes any other byte of UTF-8
  /// as `%` and two uppercase digits.
  private static func percentEncoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      if isUnreserved(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += "%" + hexadecimal([byte]).uppercased()
      }
    }
    return encoded
  }

  /// Takes the characters that RFC 3986 allows in a query, and `%` with two digits of either case.
  private static func percentDecoded(_ text: ArraySlice<UInt8>) throws(FormatError) -> [UInt8] {
    var decoded: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(hexadecimalValue),
          let low = rest.popFirst().flatMap(hexadecimalValue)
        else { throw .malformed(offset: rest.startIndex - 1) }
        decoded.append(high << 4 | low)
      } else {
        guard isUnreserved(byte) || "!$'()*+,;=:@/?".utf8.contains(byte) else {
          throw .malformed(offset: rest.startIndex - 1)
        }
        decoded.append(byte)
      }
    }
    return decoded
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "A"..."Z", "a"..."z", "0"..."9", "-", ".", "_", "~": true
    default: false
    }
  }

  private static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}
