internal import DBus

/// What a `LEAdvertisement1` object puts on the air, from a controller without extended advertising.
struct Advertisement: Equatable {
  static let maximumLength = 31

  /// Whether a central may connect.
  var isConnectable = true
  var serviceUUIDs: [UUIDText] = []
  var solicitedUUIDs: [UUIDText] = []
  var serviceData: [UUIDText: [UInt8]] = [:]
  var manufacturerData: [UInt16: [UInt8]] = [:]
  var otherData: [UInt8: [UInt8]] = [:]
  /// The `Flags` that BlueZ sends, without those that the kernel adds for a discoverable adapter.
  var isDiscoverable = false
  var includesTransmitPower = false
  var appearance: UInt16?
  /// In the scan response: 29 bytes of it at most reach a scanner.
  var localName: String?
  /// Until BlueZ ends it, in seconds; 0 for ever.
  var timeout: UInt16 = 0

  /// Reads the object's properties as BlueZ 5.66 does; nil is "Failed to parse advertisement.".
  ///
  /// - Parameter alias: the adapter's, for `Includes` with `local-name`.
  init?(_ properties: [String: Value], alias: String) {
    guard read(properties, alias: alias), length <= Self.maximumLength else { return nil }
  }

  /// The advertising data with the flags and what the kernel adds, in bytes.
  var length: Int {
    var length = isDiscoverable ? 3 : 0
    for size in [2, 4, 16] {
      for list in [serviceUUIDs, solicitedUUIDs] {
        let count = list.count { $0.encodedLength == size }
        if count > 0 { length += 2 + count * size }
      }
    }
    for (uuid, data) in serviceData { length += 2 + uuid.encodedLength + data.count }
    for data in manufacturerData.values { length += 2 + 2 + data.count }
    for data in otherData.values { length += 2 + data.count }
    if includesTransmitPower { length += 3 }
    if appearance != nil { length += 4 }
    return length
  }

  /// What a BlueZ scanner takes the name for: cut at a byte, and ASCII where that leaves no UTF-8.
  var nameOnAir: String? {
    guard let localName else { return nil }
    let bytes = localName.utf8.prefix(Self.maximumLength - 2)
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let ascii = bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: " ") }
    let words = String(decoding: ascii, as: UTF8.self)
    return String(words.trimmingPrefix { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  private mutating func read(_ properties: [String: Value], alias: String) -> Bool {
    switch properties["Type"] {
    case .string("peripheral"): isConnectable = true
    case .string("broadcast"), nil: isConnectable = false
    default: return false
    }
    // Which of these come first decides what excludes what, so the order is BlueZ's.
    guard uuids(properties["ServiceUUIDs"], into: \.serviceUUIDs),
      uuids(properties["SolicitUUIDs"], into: \.solicitedUUIDs),
      dictionaries(properties), includes(properties["Includes"], alias: alias),
      name(properties["LocalName"]), numbers(properties)
    else { return false }
    switch properties["Discoverable"] {
    case .boolean(let value): isDiscoverable = value
    case nil: break
    default: return false
    }
    // No secondary channel is supported, so naming any is an error.
    if properties["SecondaryChannel"] != nil { return false }
    return isConnectable || !isDiscoverable
  }

  private mutating func uuids(
    _ value: Value?, into list: WritableKeyPath<Advertisement, [UUIDText]>
  ) -> Bool {
    guard let value else { return true }
    guard case .array(.string, let elements) = value else { return false }
    let parsed = elements.compactMap { $0.asString.flatMap { UUIDText($0) } }
    self[keyPath: list] = parsed
    return parsed.count == elements.count
  }

  private mutating func dictionaries(_ properties: [String: Value]) -> Bool {
    for (name, value) in properties {
      guard ["ServiceData", "ManufacturerData", "Data"].contains(name) else { continue }
      guard case .dictionary(_, _, let entries) = value else { return false }
      for entry in entries {
        guard case .variant(.bytes(let bytes)) = entry.value,
          bytes.count <= Self.maximumLength - 2
        else { return false }
        switch (name, entry.key) {
        case ("ServiceData", .string(let text)):
          guard let uuid = UUIDText(text) else { return false }
          serviceData[uuid] = bytes
        case ("ManufacturerData", .uint16(let company)): manufacturerData[company] = bytes
        case ("Data", .byte(let type)):
          guard !Self.ownTypes.contains(type) else { return false }
          otherData[type] = bytes
        default: return false
        }
      }
    }
    return true
  }

  /// Types that have properties of their own (`bt_ad_add_data`).
  private static let ownTypes: Set<UInt8> = [
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x14, 0x15, 0x16, 0x19, 0x1F, 0x20,
    0x21, 0xFF,
  ]

  private mutating func includes(_ value: Value?, alias: String) -> Bool {
    guard let value else { return true }
    guard case .array(.string, let elements) = value else { return false }
    // Unknown words are skipped silently.
    for word in elements.compactMap(\.asString) {
      switch word {
      case "tx-power": includesTransmitPower = true
      case "appearance": appearance = 0
      case "local-name": localName = alias
      default: break
      }
    }
    return true
  }

  private mutating func name(_ value: Value?) -> Bool {
    switch value {
    case nil: return true
    case .string(let text):
      if localName != nil { return false }
      localName = text.isEmpty ? nil : text
      return true
    default: return false
    }
  }

  private mutating func numbers(_ properties: [String: Value]) -> Bool {
    for name in ["Appearance", "Duration", "Timeout", "DiscoverableTimeout"] {
      guard let value = properties[name] else { continue }
      guard case .uint16(let number) = value else { return false }
      switch name {
      case "Appearance":
        if appearance != nil { return false }
        appearance = number
      case "Timeout": timeout = number
      default: break
      }
    }
    return true
  }
}
