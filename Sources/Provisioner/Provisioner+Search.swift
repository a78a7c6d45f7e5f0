internal import ProvisioningProtocol

extension Provisioner {
  /// Tells of every device as it appears, and again when what it shows changes; a signal strength
  /// alone is no change.
  ///
  /// - Parameter limit: how long to listen.
  /// - Returns: the devices that were heard, in the order of their ids.
  /// - Throws: ``ProvisionerError/adapter(_:)``, ``ProvisionerError/connectionLost(_:_:)`` when
  ///   the scan itself fails, or ``ProvisionerError/cancelled``.
  package func scan(
    for limit: Duration, _ found: @escaping @Sendable (DeviceSighting) -> Void
  ) async throws(ProvisionerError) -> [DeviceSighting] {
    start()
    do {
      try await port.prepare()
      let advertisements = try await port.scan()
      report(.scanning)
      try await within(limit) {
        try await self.listen(to: advertisements, until: { _ in false }, found)
      }
    } catch is TimeLimit {
    } catch {
      throw failure(error)
    }
    return heardDevices
  }

  /// Searches for the one device that `name` means, for so long.
  ///
  /// - Throws: ``ProvisionerError/deviceNotFound(_:others:)``,
  ///   ``ProvisionerError/ambiguous(_:candidates:)``, and what stops a scan.
  func find(_ name: DeviceName, within limit: Duration) async throws -> DeviceSighting {
    enter(.search)
    heard = [:]
    report(.searching(name))
    let advertisements = try await port.scan()
    do {
      try await within(limit) {
        try await self.listen(to: advertisements, until: name.matches)
      }
    } catch is TimeLimit {
      throw ProvisionerError.deviceNotFound(name, others: heardDevices)
    }
    if case .name = name {
      // An id and an address mean one device. A name may be borne by another one as well.
      do {
        try await within(limits.nameSettling) {
          try await self.listen(to: advertisements) { _ in false }
        }
      } catch is TimeLimit {}
    }
    let candidates = heardDevices.filter(name.matches)
    guard let device = candidates.first else {
      throw ProvisionerError.deviceNotFound(name, others: heardDevices)
    }
    if candidates.count > 1 {
      throw ProvisionerError.ambiguous(name, candidates: candidates)
    }
    report(.found(device))
    return device
  }

  /// Notes the devices that are heard, and drops what else uses `FF00`.
  ///
  /// - Throws: ``CentralError`` when the radio goes away, also without saying why.
  private func listen(
    to advertisements: AsyncThrowingStream<Advertisement, any Error>,
    until isLast: @Sendable (DeviceSighting) -> Bool,
    _ changed: @Sendable (DeviceSighting) -> Void = { _ in }
  ) async throws {
    for try await advertisement in advertisements {
      guard let device = DeviceSighting(advertisement) else { continue }
      let known = heard.updateValue(device, forKey: device.address)
      if known.map(device.differs) ?? true { changed(device) }
      if isLast(device) { return }
    }
    try Task.checkCancellation()
    throw CentralError(.failed, "the scan ended by itself")
  }

  var heardDevices: [DeviceSighting] {
    heard.values.sorted {
      ($0.advertisement.deviceID.description, $0.address.description)
        < ($1.advertisement.deviceID.description, $1.address.description)
    }
  }
}
