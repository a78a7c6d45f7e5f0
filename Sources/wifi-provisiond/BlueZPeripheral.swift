internal import BluetoothLE
internal import MainLoop
internal import ProvisioningAgent
internal import ProvisioningProtocol

/// The agent's Bluetooth, over BlueZ.
///
/// The methods of the port are called on the loop and do their work before they return.
actor BlueZPeripheral: PeripheralPort {
  nonisolated let loop: MainLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let manager: PeripheralManager
  private let name: String
  private weak var server: (any AttributeServer)?

  /// - Parameter name: what a scan shows; longer ones are cut to fit.
  init(manager: PeripheralManager, name: String) {
    loop = manager.loop
    self.manager = manager
    self.name = name
  }

  nonisolated func start(
    advertising advertisement: ProvisioningAdvertisement, server: any AttributeServer
  ) {
    assumeIsolated { $0.begin(advertisement, server) }
  }

  nonisolated func advertise(_ advertisement: ProvisioningAdvertisement) {
    assumeIsolated { $0.update(advertisement) }
  }

  nonisolated func notify(_ value: [UInt8], of characteristic: ProvisioningCharacteristic) {
    manager.assumeIsolated { manager in
      // Fails for a value that is too long or a characteristic that is not in the table, and this
      // is neither.
      try? manager.updateValue(
        value, for: BluetoothUUID(characteristic.rawValue),
        of: BluetoothUUID(characteristic.service.rawValue))
    }
  }

  nonisolated var notificationLength: Int {
    manager.assumeIsolated { $0.maximumUpdateValueLength }
  }

  func stop() async {
    await manager.stop()
    server = nil
  }

  private func begin(
    _ advertisement: ProvisioningAdvertisement, _ server: any AttributeServer
  ) {
    self.server = server
    let services = ProvisioningService.allCases.map { LocalService($0, server: server) }
    manager.assumeIsolated { manager in
      manager.start { [weak self] event in self?.assumeIsolated { $0.take(event) } }
      do throws(BluetoothError) {
        try manager.publish(services)
      } catch {
        server.peripheralDidChange(.unavailable(error.description))
      }
    }
    update(advertisement)
  }

  private func update(_ advertisement: ProvisioningAdvertisement) {
    let data = AdvertisementData(
      localName: name,
      serviceUUIDs: ProvisioningService.allCases.map { BluetoothUUID($0.rawValue) },
      serviceData: [BluetoothUUID(ProvisioningService.plain.rawValue): advertisement.encoded])
    let server = server
    manager.assumeIsolated { manager in
      do throws(BluetoothError) {
        try manager.startAdvertising(data)
      } catch {
        server?.peripheralDidChange(.hidden(error.description))
      }
    }
  }

  private func take(_ event: PeripheralManager.Event) {
    switch event {
    case .statusChanged(let status):
      if let state = PeripheralState(status) { server?.peripheralDidChange(state) }
    case .centralConnected: server?.centralDidConnect()
    case .centralDisconnected(let central):
      server?.centralDidDisconnect(CentralID(central))
    case .subscriptionChanged: break
    }
  }
}

extension PeripheralState {
  /// What is to be told of a manager; nil while it is on its way.
  fileprivate init?(_ status: PeripheralManager.Status) {
    switch (status.state, status.problem) {
    case (.unknown, nil): return nil
    case (.poweredOn, nil):
      guard status.isPublished, status.isAdvertising else { return nil }
      self = .advertising
    case (.poweredOn, let problem?):
      self =
        status.isPublished ? .hidden(problem.description) : .unavailable(problem.description)
    // Without the cause, which may come later and be no news to a person.
    case (_, let problem?): self = .unavailable(problem.message)
    case (.resetting, nil): self = .unavailable("the Bluetooth service is not running")
    case (.unsupported, nil): self = .unavailable("there is no adapter that can advertise")
    case (.unauthorized, nil): self = .unavailable("the system does not allow it")
    case (.poweredOff, nil): self = .unavailable("the adapter is switched off")
    }
  }
}

extension CentralID {
  /// Centrals that the Bluetooth service does not tell apart count as one.
  fileprivate init(_ central: Central?) { self.init(rawValue: central?.identifier ?? "unknown") }
}

extension LocalService {
  fileprivate init(_ service: ProvisioningService, server: any AttributeServer) {
    self.init(
      BluetoothUUID(service.rawValue),
      characteristics: service.characteristics.map { LocalCharacteristic($0, server: server) })
  }
}

extension LocalCharacteristic {
  fileprivate init(_ characteristic: ProvisioningCharacteristic, server: any AttributeServer) {
    let properties = characteristic.properties
    var value: Value?
    if properties.contains(.read) {
      value = .dynamic { [weak server] request throws(ATTError) in
        guard let server else { throw .unlikelyError }
        return server.value(of: characteristic, for: CentralID(request.central))
      }
    }
    var write: Write?
    if properties.contains(.write) {
      write = { [weak server] request throws(ATTError) in
        guard let server else { throw .unlikelyError }
        guard request.offset == 0 else { throw .invalidOffset }
        do throws(ApplicationError) {
          try server.write(
            request.value, to: characteristic, from: CentralID(request.central))
        } catch {
          throw ATTError(rawValue: error.rawValue)
        }
      }
    }
    self.init(
      BluetoothUUID(characteristic.rawValue),
      // Both have the bits of the Core Specification.
      properties: CharacteristicProperties(rawValue: properties.rawValue),
      userDescription: characteristic.userDescription, value: value, write: write)
  }
}
