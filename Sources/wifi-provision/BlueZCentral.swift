internal import BluetoothLE
internal import MainLoop
internal import Provisioner
internal import ProvisioningProtocol

/// BlueZ as the provisioner's radio.
actor BlueZCentral: CentralPort {
  private nonisolated let loop: MainLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// How long BlueZ has to come up, with an adapter that was just plugged in.
  private static let startLimit = Duration.seconds(3)

  private let adapter: AdapterSelection
  private let passkey: PasskeySource
  private var manager: CentralManager?
  private var characteristics: [PeerAddress: [ProvisioningCharacteristic: RemoteCharacteristic]] =
    [:]

  /// - Parameter passkey: asked where a device shows one to pair with.
  init(loop: MainLoop, adapter: AdapterSelection, passkey: @escaping PasskeySource) {
    self.loop = loop
    self.adapter = adapter
    self.passkey = passkey
  }

  func prepare() async throws(CentralError) {
    do throws(BluetoothError) {
      let manager = try await CentralManager(loop: loop, adapter: adapter)
      self.manager = manager
      try await manager.waitUntilPoweredOn(timeout: Self.startLimit)
    } catch {
      if error.code == .poweredOff, RadioSwitch.blocksBluetooth() {
        throw CentralError(.adapter(.blocked))
      }
      throw CentralError(error, adapter: adapter)
    }
  }

  func scan() async throws(CentralError) -> AsyncThrowingStream<Advertisement, any Error> {
    let service = BluetoothUUID(ProvisioningService.plain.rawValue)
    let discoveries = try await use { manager throws(BluetoothError) in
      try await manager.scan(for: [service])
    }
    return relay(discoveries) { discovery in
      // Who names the service without data under it is somebody else's.
      guard let data = discovery.advertisement.serviceData[service],
        let address = PeerAddress(discovery.address.description)
      else { return nil }
      return Advertisement(
        address: address, name: discovery.advertisement.localName, rssi: discovery.rssi,
        serviceData: data)
    }
  }

  func connect(_ peer: PeerAddress) async throws(CentralError) {
    let address = try address(of: peer)
    try await use { manager throws(BluetoothError) in try await manager.connect(address) }
  }

  func discover(_ peer: PeerAddress) async throws(CentralError) -> Set<ProvisioningCharacteristic> {
    let address = try address(of: peer)
    let services = try await use { manager throws(BluetoothError) in
      try await manager.discoverServices(of: address)
    }
    var found: [ProvisioningCharacteristic: RemoteCharacteristic] = [:]
    for characteristic in ProvisioningCharacteristic.allCases {
      let service = services.first {
        $0.uuid == BluetoothUUID(characteristic.service.rawValue)
      }
      found[characteristic] = service?.characteristics.first {
        $0.uuid == BluetoothUUID(characteristic.rawValue)
      }
    }
    characteristics[peer] = found
    return Set(found.keys)
  }

  func read(
    _ characteristic: ProvisioningCharacteristic, of peer: PeerAddress
  ) async throws(CentralError) -> [UInt8] {
    let remote = try remote(characteristic, of: peer)
    return try await use { manager throws(BluetoothError) in
      try await manager.readValue(of: remote)
    }
  }

  func pair(_ peer: PeerAddress) async throws(CentralError) {
    let address = try address(of: peer)
    try await use { [passkey] manager throws(BluetoothError) in
      try await manager.pair(address, passkey: passkey)
    }
  }

  func write(
    _ value: [UInt8], to characteristic: ProvisioningCharacteristic, of peer: PeerAddress
  ) async throws(CentralError) {
    let remote = try remote(characteristic, of: peer)
    try await use { manager throws(BluetoothError) in
      try await manager.writeValue(value, to: remote)
    }
  }

  func subscribe(
    to characteristic: ProvisioningCharacteristic, of peer: PeerAddress
  ) async throws(CentralError) -> AsyncThrowingStream<[UInt8], any Error> {
    let remote = try remote(characteristic, of: peer)
    let values = try await use { manager throws(BluetoothError) in
      try await manager.subscribe(to: remote)
    }
    return relay(values) { $0 }
  }

  func writeLength(
    for characteristic: ProvisioningCharacteristic, of peer: PeerAddress
  ) async -> Int {
    guard let manager, let remote = try? remote(characteristic, of: peer) else { return 20 }
    return await manager.maximumWriteValueLength(for: remote)
  }

  func disconnect(_ peer: PeerAddress) async {
    characteristics[peer] = nil
    guard let manager, let address = BluetoothAddress(peer.description) else { return }
    await manager.disconnect(address)
  }

  func forget(_ peer: PeerAddress) async {
    guard let manager, let address = BluetoothAddress(peer.description) else { return }
    await manager.remove(address)
  }

  private func use<Result: Sendable>(
    _ body: (CentralManager) async throws(BluetoothError) -> Result
  ) async throws(CentralError) -> Result {
    guard let manager else { throw CentralError(.adapter(.noService)) }
    do throws(BluetoothError) {
      return try await body(manager)
    } catch {
      throw CentralError(error, adapter: adapter)
    }
  }

  /// The stream with other elements, and with the provisioner's errors.
  private func relay<Element: Sendable, Result: Sendable>(
    _ source: AsyncThrowingStream<Element, any Error>,
    _ transform: @escaping @Sendable (Element) -> Result?
  ) -> AsyncThrowingStream<Result, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Result.self)
    let task = Task(executorPreference: loop) { [adapter] in
      do {
        for try await element in source {
          if let result = transform(element) { continuation.yield(result) }
        }
        continuation.finish()
      } catch {
        let error = error as? BluetoothError
        continuation.finish(throwing: error.map { CentralError($0, adapter: adapter) })
      }
    }
    // Cancelling the task drops the source, which ends the scan or the subscription.
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  private func remote(
    _ characteristic: ProvisioningCharacteristic, of peer: PeerAddress
  ) throws(CentralError) -> RemoteCharacteristic {
    guard let remote = characteristics[peer]?[characteristic] else {
      throw CentralError(.linkLost, "not connected to \(peer)")
    }
    return remote
  }

  private func address(of peer: PeerAddress) throws(CentralError) -> BluetoothAddress {
    guard let address = BluetoothAddress(peer.description) else {
      throw CentralError(.unknownPeer, "\(peer) is no Bluetooth address")
    }
    return address
  }
}
