internal import BluetoothLE
internal import Diagnostics
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
  private let pairing: PairingMethod?
  private let log: Log
  /// What was said last to be wrong while everything else goes well.
  private var warning: BluetoothError?
  private weak var server: (any AttributeServer)?
  /// Whether the table is asked for.
  private var isOffered = false

  /// - Parameters:
  ///   - name: what a scan shows; longer ones are cut to fit.
  ///   - pairing: how the manager has centrals pair, without which plain writes are refused then;
  ///     nil to take them from everybody.
  init(manager: PeripheralManager, name: String, pairing: PairingMethod?, log: Log) {
    loop = manager.loop
    self.manager = manager
    self.name = name
    self.pairing = pairing
    self.log = log
  }

  nonisolated func start(
    advertising advertisement: ProvisioningAdvertisement?, server: any AttributeServer
  ) {
    assumeIsolated { $0.begin(advertisement, server) }
  }

  nonisolated func advertise(_ advertisement: ProvisioningAdvertisement?) {
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
    isOffered = false
  }

  private func begin(
    _ advertisement: ProvisioningAdvertisement?, _ server: any AttributeServer
  ) {
    self.server = server
    manager.assumeIsolated { manager in
      manager.start { [weak self] event in self?.assumeIsolated { $0.take(event) } }
    }
    update(advertisement)
  }

  private func update(_ advertisement: ProvisioningAdvertisement?) {
    guard let server else { return }
    let isOffered = advertisement != nil
    if isOffered != self.isOffered {
      self.isOffered = isOffered
      let services =
        isOffered
        ? ProvisioningService.allCases.map { LocalService($0, pairing: pairing, server: server) }
        : []
      manager.assumeIsolated { manager in
        do throws(BluetoothError) {
          try manager.publish(services)
        } catch {
          server.peripheralDidChange(.unavailable(error.description))
        }
      }
    }
    guard let advertisement else {
      manager.assumeIsolated { $0.stopAdvertising() }
      return
    }
    let data = AdvertisementData(
      localName: name,
      serviceUUIDs: ProvisioningService.allCases.map { BluetoothUUID($0.rawValue) },
      serviceData: [BluetoothUUID(ProvisioningService.plain.rawValue): advertisement.encoded])
    manager.assumeIsolated { manager in
      do throws(BluetoothError) {
        try manager.startAdvertising(data)
      } catch {
        server.peripheralDidChange(.hidden(error.description))
      }
    }
  }

  private func take(_ event: PeripheralManager.Event) {
    switch event {
    case .statusChanged(let status):
      let problem = status.isPublished && status.isAdvertising ? status.problem : nil
      if let problem, problem != warning { log.warning(problem.description) }
      warning = problem
      if let state = PeripheralState(status, isOffered: isOffered) {
        server?.peripheralDidChange(state)
      }
    case .centralConnected: server?.centralDidConnect()
    case .centralDisconnected(let central):
      server?.centralDidDisconnect(CentralID(central))
    case .subscriptionChanged: break
    case .passkey(let passkey, let central):
      log.notice("\(central) wants to pair: type \(passkey) there")
    case .pairing(let central): log.notice("\(central) pairs, as everybody in reach may")
    }
  }
}

extension PeripheralState {
  /// What is to be told of a manager; nil while it is on its way.
  fileprivate init?(_ status: PeripheralManager.Status, isOffered: Bool) {
    switch (status.state, status.problem) {
    case (.unknown, nil): return nil
    case (.poweredOn, _) where !isOffered:
      if status.isPublished || status.isAdvertising { return nil }
      self = .idle
    case (.poweredOn, nil):
      guard status.isPublished, status.isAdvertising else { return nil }
      self = .advertising
    case (.poweredOn, _?) where status.isPublished && status.isAdvertising: self = .advertising
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
  fileprivate init(
    _ service: ProvisioningService, pairing: PairingMethod?, server: any AttributeServer
  ) {
    // The secure profile protects itself, and what may be read is for everybody.
    let permissions: AttributePermissions =
      switch pairing {
      case .justWorks where service == .plain: .writeEncryptionRequired
      case .passkey where service == .plain: .writeAuthenticationRequired
      default: []
      }
    self.init(
      BluetoothUUID(service.rawValue),
      characteristics: service.characteristics.map { characteristic in
        LocalCharacteristic(
          characteristic,
          permissions: characteristic.properties.contains(.write) ? permissions : [],
          server: server)
      })
  }
}

extension LocalCharacteristic {
  fileprivate init(
    _ characteristic: ProvisioningCharacteristic, permissions: AttributePermissions,
    server: any AttributeServer
  ) {
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
      permissions: permissions, userDescription: characteristic.userDescription, value: value,
      write: write)
  }
}
