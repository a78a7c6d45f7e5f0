import BluetoothLE
import MainLoop
import ProvisioningProtocol
import Synchronization

/// A device on the room's first adapter: the table of the protocol, with values of the test's.
final class TestDevice: Sendable {
  private let writes = Mutex<[[UInt8]]>([])
  private let requests = AsyncStream.makeStream(of: Void.self)
  private let manager: PeripheralManager
  private let disconnected = AsyncStream.makeStream(of: Void.self)
  private let passkeys = AsyncStream.makeStream(of: Passkey.self)

  init(_ manager: PeripheralManager) { self.manager = manager }

  /// Offers the services, and advertises.
  ///
  /// - Parameters:
  ///   - serviceData: nil for what a device that takes plain writes has.
  ///   - permissions: what a link must be for its writes.
  func start(
    information: [UInt8]? = nil, name: String = "Kitchen", serviceData: [UInt8]? = nil,
    permissions: AttributePermissions = []
  ) async throws {
    guard let id = DeviceID("0123456789ab") else { return }
    let bytes =
      try information
      ?? DeviceInformation(
        deviceID: id, name: name, profiles: permissions.isEmpty ? [.plain] : [.plainLink],
        securities: [.wpaPSK]
      ).encoded()
    await manager.start { [disconnected, passkeys] event in
      if case .centralDisconnected = event { disconnected.continuation.yield() }
      if case .passkey(let passkey, _) = event { passkeys.continuation.yield(passkey) }
    }
    try await manager.publish(
      ProvisioningService.allCases.map { service in
        LocalService(
          BluetoothUUID(service.rawValue),
          characteristics: service.characteristics.map { characteristic($0, bytes, permissions) })
      })
    let own = ProvisioningAdvertisement(
      state: .notProvisioned, flags: .plainAccepted, deviceID: id)
    try await manager.startAdvertising(
      AdvertisementData(
        localName: name, serviceUUIDs: [BluetoothUUID(ProvisioningService.plain.rawValue)],
        serviceData: [
          BluetoothUUID(ProvisioningService.plain.rawValue): serviceData ?? own.encoded
        ]))
  }

  private func characteristic(
    _ characteristic: ProvisioningCharacteristic, _ information: [UInt8],
    _ permissions: AttributePermissions
  ) -> LocalCharacteristic {
    let uuid = BluetoothUUID(characteristic.rawValue)
    switch characteristic {
    case .information:
      return LocalCharacteristic(uuid, properties: [.read], value: .fixed(information))
    case .status:
      return LocalCharacteristic(
        uuid, properties: [.read, .notify], value: .fixed(ProvisioningStatus().encoded))
    case .ssid, .password, .control, .session:
      return LocalCharacteristic(
        uuid, properties: characteristic == .session ? [.write, .notify] : [.write],
        permissions: characteristic == .session ? [] : permissions,
        write: { [self] request in
          writes.withLock { $0.append(request.value) }
          if characteristic == .control { requests.continuation.yield() }
        })
    }
  }

  func notify(_ status: ProvisioningStatus) async throws {
    try await manager.updateValue(
      status.encoded, for: BluetoothUUID(ProvisioningCharacteristic.status.rawValue),
      of: BluetoothUUID(ProvisioningService.plain.rawValue))
  }

  /// What was written so far, in order.
  var written: [[UInt8]] { writes.withLock { $0 } }

  /// Waits until something was written to the control characteristic.
  func request() async {
    for await _ in requests.stream { return }
  }

  /// Waits for a passkey to be shown.
  func passkey() async -> Passkey? {
    for await passkey in passkeys.stream { return passkey }
    return nil
  }

  /// Waits until a central has disconnected.
  func disconnection() async {
    for await _ in disconnected.stream { return }
  }
}
