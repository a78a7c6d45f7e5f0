internal import DBus

extension PeripheralManager {
  struct ConnectedCentral {
    /// Tells a link from an earlier one of the same central.
    let link: UInt64
    var mtu: Int?
    var subscriptions: [Subscription] = []
  }

  enum LinkWatch {
    case none
    case beginning(ObjectPath)
    case active(ObjectPath, Subscription)

    var adapter: ObjectPath? {
      switch self {
      case .none: nil
      case .beginning(let adapter), .active(let adapter, _): adapter
      }
    }
  }

  /// Takes in what a request says of its sender.
  func note(_ options: RequestOptions) -> Central? {
    guard let device = options.device else { return nil }
    if centrals[device] == nil {
      lastLink += 1
      centrals[device] = ConnectedCentral(link: lastLink)
      follow(device, lastLink)
    }
    if let mtu = options.mtu { centrals[device]?.mtu = mtu }
    return Central(identifier: device.string)
  }

  /// Listens until the central is gone; it may be gone before anybody listens.
  private func follow(_ device: ObjectPath, _ link: UInt64) {
    guard let owner = condition.adapter?.owner else { return }
    let rules = [
      MatchRule.changed(BlueZ.Interface.device, of: device, from: owner),
      MatchRule.removed(device, from: owner),
    ]
    task { manager in
      for rule in rules {
        let subscription = try? await manager.connection.subscribe(rule) { [weak self] message in
          guard let change = ManagedObjects.Change(message) else { return }
          self?.assumeIsolated { $0.deviceDidChange(change) }
        }
        guard manager.centrals[device]?.link == link else { return }
        if let subscription { manager.centrals[device]?.subscriptions.append(subscription) }
      }
      let isConnected = try? await manager.connection.property(
        "Connected", of: BlueZ.Interface.device, owner, device)
      guard manager.centrals[device]?.link == link, isConnected?.asBool != true else { return }
      manager.didDisconnect(device)
    }
  }

  private func deviceDidChange(_ change: ManagedObjects.Change) {
    switch change {
    case .changed(let device, _, let values, _):
      if values["Connected"]?.asBool == false { didDisconnect(device) }
    case .removed(let device, let interfaces):
      if interfaces.contains(BlueZ.Interface.device) { didDisconnect(device) }
    case .added: break
    }
  }

  func didDisconnect(_ device: ObjectPath) {
    guard centrals.removeValue(forKey: device) != nil else { return }
    // Some adapters are silent after a connection, whatever bluetoothd believes.
    renewAdvertisement()
    handler?(.centralDisconnected(Central(identifier: device.string)))
  }

  /// Hears of centrals that come and go, after which to advertise again.
  ///
  /// A controller ends its advertising when a central connects, and with a legacy one nobody else
  /// finds the device until it is begun anew.
  ///
  /// Not while somebody discovers: then every device in reach changes several times a second.
  func watchLinks() {
    guard let adapter = condition.adapter, adapter.isPowered, !adapter.isDiscovering,
      advertisement != nil
    else { return links = .none }
    guard links.adapter != adapter.path else { return }
    links = .beginning(adapter.path)
    task { manager in
      let rule = MatchRule.changed(
        BlueZ.Interface.device, below: adapter.path, from: adapter.owner)
      let subscription = try? await manager.connection.subscribe(rule) { [weak self] message in
        guard let change = ManagedObjects.Change(message) else { return }
        self?.assumeIsolated { $0.linkDidChange(change) }
      }
      guard case .beginning(adapter.path) = manager.links, let subscription else { return }
      manager.links = .active(adapter.path, subscription)
    }
  }

  private func linkDidChange(_ change: ManagedObjects.Change) {
    guard case .changed(let device, _, let values, _) = change,
      let isConnected = values["Connected"]?.asBool
    else { return }
    if isConnected { handler?(.centralConnected(Central(identifier: device.string))) }
    // Of the end of a central that has made a request, another rule tells.
    if isConnected || centrals[device] == nil { renewAdvertisement() }
  }
}
