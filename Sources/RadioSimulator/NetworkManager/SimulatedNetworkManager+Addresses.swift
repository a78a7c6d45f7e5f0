internal import DBus
internal import MainLoop

extension SimulatedNetworkManager {
  /// Gives the device the addresses of a profile and of the network.
  ///
  /// - Returns: whether they suffice; otherwise the activation has failed.
  func configureAddresses(_ profile: SimulatedProfile, at point: SimulatedAccessPoint)
    async throws -> Bool
  {
    let (setting4, setting6) = (profile.settings["ipv4"] ?? [:], profile.settings["ipv6"] ?? [:])
    let method4 = setting4["method"]?.asString ?? "auto"
    let method6 = setting6["method"]?.asString ?? "auto"
    var (ipv4, ipv6): (IPConfiguration?, IPConfiguration?)
    switch method4 {
    case "manual": ipv4 = IPConfiguration(setting4)
    case "auto": ipv4 = point.hasDHCP ? .ipv4 : nil
    default: break
    }
    switch method6 {
    case "manual": ipv6 = IPConfiguration(setting6)
    case "auto": ipv6 = point.hasIPv6 ? .ipv6 : nil
    default: break
    }
    if let ipv6 { setAddresses(ipv6: ipv6) }
    let needsAny = method4 == "auto" || method4 == "manual"
    let mayLackIPv4 = !needsAny || (setting4["may-fail"]?.asBool ?? true && ipv6 != nil)
    if ipv4 == nil, !mayLackIPv4 {
      try await loop.sleep(for: time(.seconds(45)))
      fail(.ipConfigUnavailable)
      return false
    }
    if ipv4 != nil { try await loop.sleep(for: time(.milliseconds(800))) }
    // Only who asks for it has NetworkManager look whether somebody else has the address, and it
    // has no reason of its own for that.
    if method4 == "manual", point.hasAddressConflict,
      (setting4["dad-timeout"]?.asInteger ?? 0) > 0
    {
      fail(.ipConfigUnavailable)
      return false
    }
    if let ipv4 { setAddresses(ipv4: ipv4) }
    return true
  }

  private func setAddresses(ipv4: IPConfiguration) {
    let path = newPath("IP4Config")
    export(path, [ipv4.ipv4Interface])
    device.ip4Config = path
    addressesChanged("Ip4Config")
  }

  private func setAddresses(ipv6: IPConfiguration) {
    let path = newPath("IP6Config")
    export(path, [ipv6.ipv6Interface])
    device.ip6Config = path
    addressesChanged("Ip6Config")
  }

  private func addressesChanged(_ property: String) {
    if let path = device.path { changed(path, NetworkManagerName.Interface.device, [property]) }
    if let active { changed(active.path, NetworkManagerName.Interface.active, [property]) }
  }

  /// Takes the addresses away.
  func dropAddresses() {
    let old = [device.ip4Config, device.ip6Config]
    device.ip4Config = nil
    device.ip6Config = nil
    if let path = device.path, old.contains(where: { $0 != nil }) {
      changed(path, NetworkManagerName.Interface.device, ["Ip4Config", "Ip6Config"])
    }
    for path in old.compactMap(\.self) { unexport(path) }
  }
}
