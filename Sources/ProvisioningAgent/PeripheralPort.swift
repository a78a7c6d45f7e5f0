package import ProvisioningProtocol

/// What the agent needs of Bluetooth: a peripheral that offers the protocol's GATT table.
///
/// Everything is called on the agent's executor, and calls back there. The port keeps what was
/// asked of it: when Bluetooth goes away and comes back, it offers and advertises again by itself.
package protocol PeripheralPort: Sendable {
  /// Offers the table and advertises, now or as soon as Bluetooth is there, until ``stop()``; nil
  /// for neither.
  ///
  /// The server is asked and told from now on.
  func start(advertising advertisement: ProvisioningAdvertisement?, server: any AttributeServer)

  /// Offers the table and advertises this from now on; nil for neither.
  func advertise(_ advertisement: ProvisioningAdvertisement?)

  /// Sends a value to every central that has subscribed to the characteristic.
  ///
  /// Values leave in the order of the calls, and before whatever ``stop()`` does.
  func notify(_ value: [UInt8], of characteristic: ProvisioningCharacteristic)

  /// How many bytes a value may have now to reach every central: at least 20.
  var notificationLength: Int { get }

  /// Withdraws the advertisement and the table.
  func stop() async
}

/// How far the peripheral has come with what it was asked.
package enum PeripheralState: Equatable, Sendable {
  /// Bluetooth cannot be used now; the words say why.
  case unavailable(String)
  /// Who knows the device can connect to it, but it does not advertise; the words say why.
  case hidden(String)
  /// Bluetooth can be used, and nothing is offered, as was asked for.
  case idle
  /// Everybody in reach sees the device and can connect to it.
  case advertising
}
