package import CBOR
internal import Secrets

/// The entries of a map in a sealed message, by their small numbers; other keys are ignored.
struct MessageFields {
  private let entries: [CBORValue.Entry]

  init(_ value: CBORValue) throws(MessageError) {
    guard case .map(let entries) = value else { throw .notAMap }
    self.entries = entries
  }

  /// Reads the content of a record.
  init(decoding content: SecretBytes) throws(MessageError) {
    let value: CBORValue
    do throws(CBORError) {
      value = try CBORValue(
        decoding: content,
        limits: CBORLimits(bytes: SealedRecords.contentLimit, depth: 8, items: 1024))
    } catch {
      throw .malformed(error)
    }
    try self.init(value)
  }

  subscript(key: UInt64) -> CBORValue? { entries.first { $0.key == .unsigned(key) }?.value }

  func required(_ key: UInt64) throws(MessageError) -> CBORValue {
    guard let value = self[key] else { throw .missing(key) }
    return value
  }

  func text(_ key: UInt64) throws(MessageError) -> String? {
    guard let value = self[key] else { return nil }
    guard case .text(let text) = value else { throw .invalid(key) }
    return text
  }

  func requiredText(_ key: UInt64) throws(MessageError) -> String {
    guard let text = try text(key) else { throw .missing(key) }
    return text
  }

  func bytes(_ key: UInt64) throws(MessageError) -> SecretBytes? {
    guard let value = self[key] else { return nil }
    guard case .bytes(let bytes) = value else { throw .invalid(key) }
    return bytes
  }

  func requiredBytes(_ key: UInt64) throws(MessageError) -> SecretBytes {
    guard let bytes = try bytes(key) else { throw .missing(key) }
    return bytes
  }

  func number<Number: FixedWidthInteger>(
    _ key: UInt64, as type: Number.Type = Number.self
  ) throws(MessageError) -> Number? {
    guard let value = self[key] else { return nil }
    let number: Number? =
      switch value {
      case .unsigned(let number): Number(exactly: number)
      case .negative(let number): Int64(exactly: number).flatMap { Number(exactly: -1 - $0) }
      default: nil
      }
    guard let number else { throw .invalid(key) }
    return number
  }

  func requiredNumber<Number: FixedWidthInteger>(
    _ key: UInt64, as type: Number.Type = Number.self
  ) throws(MessageError) -> Number {
    guard let number = try number(key, as: type) else { throw .missing(key) }
    return number
  }

  func requiredBool(_ key: UInt64) throws(MessageError) -> Bool {
    guard case .bool(let bool) = try required(key) else { throw .invalid(key) }
    return bool
  }

  func bool(_ key: UInt64) throws(MessageError) -> Bool? {
    guard let value = self[key] else { return nil }
    guard case .bool(let bool) = value else { throw .invalid(key) }
    return bool
  }

  func password(_ key: UInt64) throws(MessageError) -> WiFiPassword? {
    guard let bytes = try bytes(key) else { return nil }
    guard let password = try? WiFiPassword(bytes) else { throw .invalid(key) }
    return password
  }

  func address<Address: InternetAddress>(_ key: UInt64) throws(MessageError) -> Address? {
    guard let bytes = try bytes(key) else { return nil }
    guard let address = Address(bytes: bytes) else { throw .invalid(key) }
    return address
  }

  /// A list of addresses of one family; empty where the key is missing.
  func addresses<Address: InternetAddress>(_ key: UInt64) throws(MessageError) -> [Address] {
    var addresses: [Address] = []
    for bytes in try byteStrings(key) {
      guard let address = Address(bytes: bytes) else { throw .invalid(key) }
      addresses.append(address)
    }
    return addresses
  }

  /// A list of addresses of both families; empty where the key is missing.
  func mixedAddresses(_ key: UInt64) throws(MessageError) -> [IPAddress] {
    var addresses: [IPAddress] = []
    for bytes in try byteStrings(key) {
      guard let address = IPAddress(bytes: bytes) else { throw .invalid(key) }
      addresses.append(address)
    }
    return addresses
  }

  private func byteStrings(_ key: UInt64) throws(MessageError) -> [SecretBytes] {
    var strings: [SecretBytes] = []
    for item in try items(key) ?? [] {
      guard case .bytes(let bytes) = item else { throw .invalid(key) }
      strings.append(bytes)
    }
    return strings
  }

  /// A list of texts; empty where the key is missing.
  func texts(_ key: UInt64) throws(MessageError) -> [String] {
    var texts: [String] = []
    for item in try items(key) ?? [] {
      guard case .text(let text) = item else { throw .invalid(key) }
      texts.append(text)
    }
    return texts
  }

  func ssid(_ key: UInt64) throws(MessageError) -> SSID? {
    guard let bytes = try bytes(key) else { return nil }
    guard let ssid = try? SSID(Array(bytes)) else { throw .invalid(key) }
    return ssid
  }

  func requiredSSID(_ key: UInt64) throws(MessageError) -> SSID {
    guard let ssid = try ssid(key) else { throw .missing(key) }
    return ssid
  }

  func items(_ key: UInt64) throws(MessageError) -> [CBORValue]? {
    guard let value = self[key] else { return nil }
    guard case .array(let items) = value else { throw .invalid(key) }
    return items
  }
}

extension CBORValue {
  /// A map with small numbers as keys; keys without a value are left out.
  init(fields: KeyValuePairs<UInt64, CBORValue?>) {
    self = .map(
      fields.compactMap { key, value in value.map { Entry(.unsigned(key), $0) } })
  }

  /// A number of either sign.
  init(_ number: Int64) {
    self = number < 0 ? .negative(UInt64(-1 - number)) : .unsigned(UInt64(number))
  }

  /// A map of one number: the result of `provision` and `forget`.
  init(number: UInt64) { self.init(fields: [0: .unsigned(number)]) }

  /// The number in the result of `provision` or `forget`.
  package func number() throws(MessageError) -> Int { try MessageFields(self).requiredNumber(0) }
}
