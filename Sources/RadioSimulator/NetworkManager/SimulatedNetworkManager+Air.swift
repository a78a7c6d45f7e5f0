internal import DBus
internal import MainLoop

extension SimulatedNetworkManager {
  /// The access point that a profile would join: the strongest of its name and kind.
  func accessPoint(for profile: ObjectPath) -> VisibleAccessPoint? {
    profiles[profile].flatMap { accessPoint(for: $0) }
  }

  func accessPoint(for profile: SimulatedProfile) -> VisibleAccessPoint? {
    guard profile.joinsNetworks else { return nil }
    return visible.filter { point in
      point.ssid == profile.ssid && point.accepts(profile) && !point.point.isAdHoc
        && profile.bssid.map { $0 == point.bssid } ?? true
    }.max { $0.point.strength < $1.point.strength }
  }

  /// Whether a station would hear an access point now.
  func isOnAir(_ point: SimulatedAccessPoint) -> Bool {
    air.contains(point) && !silent.contains(point.name)
  }

  // MARK: - The list

  /// What a scan finds becomes the list.
  func updateVisible(asking ssids: Set<[UInt8]>) {
    for gone in visible where !isOnAir(gone.point) { forgetAccessPoint(gone) }
    for point in air
    where isOnAir(point) && !visible.contains(where: { $0.point == point && !$0.isRevealed }) {
      addAccessPoint(point, isRevealed: false)
    }
    // Whoever keeps a hidden network asks for it in every scan.
    let kept = profiles.values.filter { $0.isHidden && $0.joinsNetworks }.map(\.ssid)
    reveal(ssids.union(kept))
    accessPointsChanged()
  }

  /// Hidden access points of these names answer, and show up beside what their beacons show.
  func reveal(_ ssids: Set<[UInt8]>) {
    for point in air
    where point.isHidden && ssids.contains(point.ssid) && isOnAir(point)
      && !visible.contains(where: { $0.point == point && $0.isRevealed })
    {
      addAccessPoint(point, isRevealed: true)
    }
    accessPointsChanged()
  }

  private func addAccessPoint(_ point: SimulatedAccessPoint, isRevealed: Bool) {
    // One radio, whether it tells its name or not.
    let sibling = visible.first { $0.point == point }
    let path = newPath("AccessPoint")
    let number = UInt16(truncatingIfNeeded: number(of: path))
    let bssid = [
      2, 0, 0, 1, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number),
    ]
    let new = VisibleAccessPoint(
      path: path, bssid: sibling?.bssid ?? bssid, point: point, isRevealed: isRevealed)
    visible.append(new)
    export(path, new.interfaces)
    announceAccessPoint(path, "AccessPointAdded")
  }

  /// To be followed by ``accessPointsChanged()``.
  func forgetAccessPoint(_ gone: VisibleAccessPoint) {
    visible.removeAll { $0.path == gone.path }
    announceAccessPoint(gone.path, "AccessPointRemoved")
    unexport(gone.path)
  }

  func forgetAllAccessPoints() {
    visible.forEach(forgetAccessPoint)
    accessPointsChanged()
  }

  /// Tells of the list as a whole, once for all that has changed in it.
  func accessPointsChanged() { wirelessChanged(["AccessPoints"]) }

  private func announceAccessPoint(_ path: ObjectPath, _ member: String) {
    guard let device = device.path else { return }
    emit(device, NetworkManagerName.Interface.wireless, member, [.objectPath(path)])
  }

  /// A disconnected device scans now and then, and connects to what it finds.
  func scanByItself() {
    loop.after(time(.seconds(3))) { [weak self] in
      self?.assumeIsolated { manager in
        guard manager.bus != nil, manager.device.state == .disconnected else { return }
        manager.finishScan()
        manager.connectLater()
      }
    }
  }
}

extension SimulatedAccessPoint {
  /// What is on the air of it: networks that shall move to OWE have a hidden one beside them.
  var beacons: [SimulatedAccessPoint] {
    guard security == .oweTransition else { return [self] }
    var protected = self
    protected.security = .owe
    protected.isHidden = true
    return [self, protected]
  }
}
