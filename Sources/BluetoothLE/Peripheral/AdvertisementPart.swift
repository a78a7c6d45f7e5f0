/// A part of an advertisement that takes some of its bytes.
public enum AdvertisementPart: Sendable, Hashable, CustomStringConvertible {
  case serviceUUIDs
  case serviceData(BluetoothUUID)
  case manufacturerData(UInt16)

  /// The part, for a sentence.
  public var description: String {
    switch self {
    case .serviceUUIDs: "the list of service UUIDs"
    case .serviceData(let uuid): "the service data of \(uuid)"
    case .manufacturerData(let company):
      "the manufacturer data of 0x\(Hexadecimal.text(company, digits: 4))"
    }
  }
}
