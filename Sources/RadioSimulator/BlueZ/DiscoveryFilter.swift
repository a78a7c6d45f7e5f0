internal import DBus

/// What `SetDiscoveryFilter` of BlueZ 5.66 takes.
struct DiscoveryFilter {
  static let keys = [
    "UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern",
  ]

  private(set) var uuids: [UUIDText] = []
  private(set) var rssi: Int16?
  private(set) var pathloss: UInt16?
  private(set) var wantsDuplicates = false
  private(set) var pattern: String?

  /// Nil for `InvalidArguments`: an unknown key, another type, or what excludes each other.
  init?(_ properties: [String: Value]) {
    for (key, value) in properties {
      switch (key, value) {
      case ("UUIDs", .array(.string, let elements)):
        uuids = elements.compactMap { $0.asString.flatMap { UUIDText($0) } }
        if uuids.count != elements.count { return nil }
      case ("RSSI", .int16(let value)):
        guard (-127...20).contains(value) else { return nil }
        rssi = value
      case ("Pathloss", .uint16(let value)):
        guard value <= 137 else { return nil }
        pathloss = value
      case ("Transport", .string(let text)):
        guard ["auto", "bredr", "le"].contains(text) else { return nil }
      case ("DuplicateData", .boolean(let value)): wantsDuplicates = value
      case ("Discoverable", .boolean): break
      case ("Pattern", .string(let text)): pattern = text
      default: return nil
      }
    }
    if rssi != nil && pathloss != nil { return nil }
  }

  /// Whether a report is one that the client wants to see (`is_filter_match`).
  func matches(_ advertisement: Advertisement, rssi: Int16) -> Bool {
    if !uuids.isEmpty, !advertisement.serviceUUIDs.contains(where: uuids.contains) { return false }
    if let minimum = self.rssi, rssi < minimum { return false }
    return true
  }
}
