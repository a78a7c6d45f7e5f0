/// The bytes of a legacy advertisement as BlueZ lays it out (Core Specification, Vol 3, Part C, 11).
///
/// BlueZ from 5.76 turns to extended advertising when 31 bytes are exceeded, which legacy scanners
/// do not see, and names no reason where it fails: so the length is computed before it is asked.
enum AdvertisementBudget {
  static let maximumLength = 31
  /// A name's in the scan response, which has 31 bytes and two for the header.
  static let maximumNameLength = 29
  /// The flags that come with `Discoverable`.
  private static let flags = 3
  /// Length and type of each part.
  private static let header = 2

  /// The bytes that the advertisement takes.
  ///
  /// - Throws: `advertisementTooLong` with the first part that does not fit.
  @discardableResult
  static func check(_ data: AdvertisementData) throws(BluetoothError) -> Int {
    var length = flags
    for (part, size) in parts(of: data) {
      guard length + size <= maximumLength else {
        throw BluetoothError(
          .advertisementTooLong(part),
          "\(part) takes \(size) bytes, and \(maximumLength - length) of \(maximumLength) are left")
      }
      length += size
    }
    return length
  }

  private static func parts(of data: AdvertisementData) -> [(AdvertisementPart, Int)] {
    // A list for each width.
    let lists = Dictionary(grouping: data.serviceUUIDs, by: width)
    let uuids = lists.map { width, uuids in header + uuids.count * width }.reduce(0, +)
    let services = data.serviceData.map { uuid, bytes in
      (AdvertisementPart.serviceData(uuid), header + width(of: uuid) + bytes.count)
    }
    let companies = data.manufacturerData.map { company, bytes in
      (AdvertisementPart.manufacturerData(company), header + 2 + bytes.count)
    }
    return [(.serviceUUIDs, uuids)] + (services + companies).sorted { $0.1 < $1.1 }
  }

  /// The bytes of a UUID: bluetoothd writes one of 32 bits as one of 128.
  private static func width(of uuid: BluetoothUUID) -> Int { uuid.bitWidth == 16 ? 2 : 16 }

  /// As much of a name as fits, cut between two characters: BlueZ would cut between two bytes.
  static func fitting(_ name: String) -> String {
    var scalars = name.unicodeScalars[...]
    while String(scalars).utf8.count > maximumNameLength { scalars.removeLast() }
    return String(scalars)
  }
}
