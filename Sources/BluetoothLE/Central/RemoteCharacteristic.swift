internal import DBus

/// A characteristic that a connected peripheral offers; valid while the link lasts.
public struct RemoteCharacteristic: Sendable, Hashable {
  /// What the characteristic is.
  public let uuid: BluetoothUUID
  /// The UUID of the service that holds it.
  public let service: BluetoothUUID
  /// Who offers it.
  public let peripheral: BluetoothAddress
  /// What can be done with it.
  public let properties: CharacteristicProperties
  let device: ObjectPath
  let path: ObjectPath
}
