/// A primary service that this machine offers.
public struct LocalService: Sendable {
  /// What the service is.
  public let uuid: BluetoothUUID
  /// What it holds, in the order of the table.
  public let characteristics: [LocalCharacteristic]

  /// A primary service; each UUID occurs once among the characteristics.
  public init(_ uuid: BluetoothUUID, characteristics: [LocalCharacteristic]) {
    self.uuid = uuid
    self.characteristics = characteristics
  }
}
