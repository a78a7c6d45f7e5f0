/// A characteristic that this machine offers.
public struct LocalCharacteristic: Sendable {
  /// Where a value comes from when a central reads.
  public enum Value: Sendable {
    /// Bytes that never change; the properties contain `read`.
    case fixed([UInt8])
    /// Asked at each read request, on the loop's thread; returns the whole value.
    ///
    /// The manager cuts the value by the request's offset. A long value is read in several
    /// requests: it must not change in between.
    case dynamic(@Sendable (ReadRequest) throws(ATTError) -> [UInt8])
  }

  /// Takes a value, on the loop's thread; the central gets its answer when this returns or throws.
  public typealias Write = @Sendable (WriteRequest) throws(ATTError) -> Void

  /// What the characteristic is.
  public let uuid: BluetoothUUID
  /// What centrals may do with it.
  public let properties: CharacteristicProperties
  /// What the link must be for that; bluetoothd itself refuses who does not have it.
  public let permissions: AttributePermissions
  /// The text of the user description descriptor, 2901.
  public let userDescription: String?
  let value: Value?
  let write: Write?

  /// - Parameters:
  ///   - properties: with `write`, an error that the handler throws reaches the central; with
  ///     `writeWithoutResponse` none does, and BlueZ does not allow both together.
  ///   - permissions: a write without response cannot need any.
  ///   - value: needed exactly if the properties contain `read`.
  ///   - write: needed exactly if the properties contain a write.
  public init(
    _ uuid: BluetoothUUID, properties: CharacteristicProperties,
    permissions: AttributePermissions = [], userDescription: String? = nil, value: Value? = nil,
    write: Write? = nil
  ) {
    self.uuid = uuid
    self.properties = properties
    self.permissions = permissions
    self.userDescription = userDescription
    self.value = value
    self.write = write
  }
}
