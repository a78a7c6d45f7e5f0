/// A service that a connected peripheral offers.
public struct RemoteService: Sendable, Hashable {
  /// What the service is.
  public let uuid: BluetoothUUID
  /// Whether it stands by itself, or is only included by another one.
  public let isPrimary: Bool
  /// What it holds, in the order of the table.
  public let characteristics: [RemoteCharacteristic]
}
