/// What a device says of itself to everybody in reach.
public struct AdvertisementData: Sendable, Hashable {
  /// The name; from a scan outside text that may hold anything.
  public var localName: String?
  /// Services that the device offers, not always all.
  public var serviceUUIDs: [BluetoothUUID]
  /// Bytes by the UUID of the service that gives them a meaning.
  public var serviceData: [BluetoothUUID: [UInt8]]
  /// Bytes by the company's identifier.
  public var manufacturerData: [UInt16: [UInt8]]
  /// The power of the transmission in dBm, where it was heard; not used for advertising.
  public var txPowerLevel: Int?

  /// An advertisement of the given parts.
  public init(
    localName: String? = nil, serviceUUIDs: [BluetoothUUID] = [],
    serviceData: [BluetoothUUID: [UInt8]] = [:], manufacturerData: [UInt16: [UInt8]] = [:],
    txPowerLevel: Int? = nil
  ) {
    self.localName = localName
    self.serviceUUIDs = serviceUUIDs
    self.serviceData = serviceData
    self.manufacturerData = manufacturerData
    self.txPowerLevel = txPowerLevel
  }
}
