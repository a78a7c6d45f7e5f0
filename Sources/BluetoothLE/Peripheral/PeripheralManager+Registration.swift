internal import DBus

extension PeripheralManager {
  func conditionDidChange(_ condition: AdapterMonitor.Condition) {
    let old = self.condition.adapter
    self.condition = condition
    let adapter = condition.adapter
    if old?.owner != adapter?.owner || old?.path != adapter?.path {
      for central in Array(centrals.keys) { didDisconnect(central) }
    }
    if old?.isPowered != adapter?.isPowered { replaceAdvertisement() }
    reconcile()
  }

  /// Exports a table's objects under a new root, beside those that bluetoothd still knows.
  func export(_ table: LocalTable?) {
    let old = tableRoot
    tableRoot = nil
    characteristics = []
    if let old, !knows(old, tableRegistrar) { unexport(old) }
    guard let table, let root = ExportNumber.path("application") else { return }
    let (objects, characteristics) = table.objects(below: root, delegate)
    connection.assumeIsolated { connection in
      for object in objects { connection.export(object.path, [object.interface]) }
      // Last, since it announces whatever comes after it, and nobody listens.
      connection.exportObjectManager(at: root)
    }
    exported[root] = objects.map(\.path)
    tableRoot = root
    self.characteristics = characteristics
  }

  /// Advertises the same or something else, under a path that bluetoothd does not know.
  func renewAdvertisement() {
    replaceAdvertisement()
    reconcile()
  }

  func replaceAdvertisement() {
    let old = advertisementPath
    advertisementPath = nil
    if let old, !knows(old, advertisementRegistrar) { unexport(old) }
    guard let advertisement, let path = ExportNumber.path("advertisement") else { return }
    let interface = advertisement.interface { [weak self] in
      self?.assumeIsolated { manager in
        manager.advertisementRegistrar?.assumeIsolated { $0.release(path) }
      }
    }
    connection.assumeIsolated { $0.export(path, [interface]) }
    exported[path] = [path]
    advertisementPath = path
  }

  /// Tells the registrars what is wanted, and where; both work at the same time.
  func reconcile() {
    let adapter = condition.adapter
    let target = adapter.flatMap { adapter in
      adapter.canTake(.peripheral)
        ? Registrar.Target(owner: adapter.owner, path: adapter.path) : nil
    }
    let root = tableRoot
    // What is registered while the adapter is off may not come on the air when it is switched on.
    let advertisement = adapter?.isPowered == true ? advertisementPath : nil
    if let tableRegistrar {
      tableRegistrar.assumeIsolated { $0.want(root, at: target) }
    }
    if let advertisementRegistrar {
      advertisementRegistrar.assumeIsolated { $0.want(advertisement, at: target) }
    }
    if let agentRegistrar {
      let agent = agentPath
      let target = adapter.map { Registrar.Target(owner: $0.owner, path: BlueZ.agentManager) }
      agentRegistrar.assumeIsolated { $0.want(agent, at: target) }
    }
    watchLinks()
    updateStatus()
  }

  func knows(_ path: ObjectPath, _ registrar: Registrar?) -> Bool {
    registrar?.assumeIsolated { $0.knows(path) } ?? false
  }

  func unexport(_ root: ObjectPath) {
    guard root != tableRoot, root != advertisementPath, root != agentPath else { return }
    let paths = exported.removeValue(forKey: root) ?? []
    connection.assumeIsolated { connection in
      connection.unexportObjectManager(at: root)
      for path in paths { connection.unexport(path) }
    }
  }

  func updateStatus() {
    guard handler != nil else { return }
    let table = tableRegistrar?.assumeIsolated { ($0.isRegistered, $0.failure) }
    let advertisement = advertisementRegistrar?.assumeIsolated { ($0.isRegistered, $0.failure) }
    var new = Status()
    (new.state, new.problem) = condition.state(for: .peripheral)
    new.isPublished = table?.0 ?? false
    new.isAdvertising = advertisement?.0 ?? false
    new.problem =
      new.problem ?? table?.1 ?? advertisement?.1
      ?? agentRegistrar?.assumeIsolated { $0.failure }
    guard new != status else { return }
    status = new
    handler?(.statusChanged(new))
  }
}
