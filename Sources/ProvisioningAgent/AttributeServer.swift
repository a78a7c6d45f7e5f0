package import ProvisioningProtocol

/// What a ``PeripheralPort`` asks and tells; called on the agent's executor, and answers at once.
package protocol AttributeServer: AnyObject, Sendable {
  /// Bluetooth came, went, or did what was asked of it.
  func peripheralDidChange(_ state: PeripheralState)

  /// A central has a link, and may read or write next; it may be told more than once.
  func centralDidConnect()

  /// The whole value of a characteristic that can be read; the port cuts it by the offset.
  func value(of characteristic: ProvisioningCharacteristic, for central: CentralID) -> [UInt8]

  /// A central wrote a whole value.
  ///
  /// - Throws: the error that the central is to get.
  func write(
    _ value: [UInt8], to characteristic: ProvisioningCharacteristic, from central: CentralID
  ) throws(ApplicationError)

  /// A central that read or wrote before is gone.
  func centralDidDisconnect(_ central: CentralID)
}
