internal import DBus
internal import Glibc
internal import MainLoop

/// Follows NetworkManager's Wi-Fi device over plain D-Bus.
///
/// A live `NMClient` mirrors every object that NetworkManager has; this reads one device, when a
/// signal says that it changed, and so can stay open while nothing happens.
actor DeviceWatch {
  nonisolated let loop: MainLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let bus: Connection
  private let wantedInterface: String?
  private let changed: @Sendable (StationSnapshot) -> Void

  /// What was read last.
  var snapshot: StationSnapshot {
    lastSnapshot ?? StationSnapshot(availability: .networkManagerNotRunning)
  }
  private var lastSnapshot: StationSnapshot?
  /// The chosen device.
  private(set) var devicePath: ObjectPath?

  private var owner: String?
  private var nameWatch: Subscription?
  private var managerSignals: Subscription?
  private var deviceSignals: Subscription?
  private var settingsSignals: Subscription?
  /// Whether each profile is one of a Wi-Fi network to join.
  private var profiles: [ObjectPath: Bool] = [:]
  private var profilesAreStale = true
  private var reading: Task<Void, Never>?
  private var isStale = false

  /// - Parameters:
  ///   - interface: the device to follow; nil for the first managed one that is no access point.
  ///   - changed: called on the loop's thread with each snapshot that differs from the last.
  init(
    bus: Connection, interface: String?, changed: @escaping @Sendable (StationSnapshot) -> Void
  ) {
    loop = bus.loop
    self.bus = bus
    wantedInterface = interface
    self.changed = changed
  }

  /// Begins; returns once the first snapshot is there.
  func start() async throws(BusError) {
    managerSignals = try await bus.subscribe(
      MatchRule(
        sender: NetworkManagerBus.name, path: NetworkManagerBus.path,
        interface: NetworkManagerBus.manager)
    ) { [weak self] _ in self?.assumeIsolated { $0.invalidate() } }
    settingsSignals = try await bus.subscribe(
      MatchRule(
        sender: NetworkManagerBus.name, path: NetworkManagerBus.settingsPath,
        interface: NetworkManagerBus.settings)
    ) { [weak self] _ in self?.assumeIsolated { $0.profilesChanged() } }
    nameWatch = try await bus.watchName(NetworkManagerBus.name) { [weak self] owner in
      self?.assumeIsolated { $0.ownerChanged(to: owner) }
    }
    await refresh()
  }

  func stop() {
    nameWatch = nil
    managerSignals = nil
    settingsSignals = nil
    deviceSignals = nil
  }

  /// Reads the link alone, as it is now; nil without one.
  ///
  /// While NetworkManager is busy it tells of a change every few milliseconds, and a whole
  /// snapshot is out of date before it is complete.
  func readLink() async -> Link? {
    guard let devicePath, let device = await properties(of: NetworkManagerBus.device, devicePath),
      device.integer(NetworkManagerBus.state) == Int(DeviceState.activated)
    else { return nil }
    async let active = object(device[NetworkManagerBus.activeConnection], NetworkManagerBus.active)
    let link = await link(of: devicePath, device)
    return Link(profile: await active[NetworkManagerBus.uuid]?.asString, link: link)
  }

  /// What the device is connected to, and with what.
  struct Link: Sendable {
    /// The profile's UUID; nil where NetworkManager did not tell in time.
    let profile: String?
    var link: StationSnapshot.Link
  }

  private func ownerChanged(to owner: String?) {
    self.owner = owner
    devicePath = nil
    deviceSignals = nil
    profilesChanged()
  }

  private func profilesChanged() {
    profilesAreStale = true
    invalidate()
  }

  /// Reads everything again.
  @discardableResult
  func refresh() async -> StationSnapshot {
    invalidate()
    while let reading { await reading.value }
    return snapshot
  }

  private func invalidate() {
    isStale = true
    guard reading == nil else { return }
    reading = Task(executorPreference: loop) { await self.readUntilFresh() }
  }

  private func readUntilFresh() async {
    while isStale {
      isStale = false
      let fresh = await read()
      // What was read before another signal came is already out of date.
      if !isStale, fresh != lastSnapshot {
        lastSnapshot = fresh
        changed(fresh)
      }
    }
    reading = nil
  }

  private func read() async -> StationSnapshot {
    guard owner != nil else { return StationSnapshot(availability: .networkManagerNotRunning) }
    guard let manager = await properties(of: NetworkManagerBus.manager, NetworkManagerBus.path)
    else { return StationSnapshot(availability: .networkManagerNotRunning) }
    let primary = manager[NetworkManagerBus.primaryConnectionType]?.asString ?? ""
    let hasOther = !primary.isEmpty && primary != ProfileType.wifi
    let hasSaved = await hasSavedNetwork()
    guard let (path, device) = await chooseDevice(from: manager) else {
      return StationSnapshot(
        availability: .noDevice, hasOtherConnection: hasOther, hasSavedNetwork: hasSaved)
    }
    let state = device.integer(NetworkManagerBus.state)
    return StationSnapshot(
      availability: Self.availability(state: state, manager: manager),
      interface: device[NetworkManagerBus.interface]?.asString,
      link: state == Int(DeviceState.activated) ? await link(of: path, device) : nil,
      hasOtherConnection: hasOther, hasSavedNetwork: hasSaved)
  }

  /// Whether NetworkManager has a profile of a Wi-Fi network to join; nil where it does not tell.
  private func hasSavedNetwork() async -> Bool? {
    if profilesAreStale {
      profilesAreStale = false
      let reply = try? await bus.call(
        NetworkManagerBus.name, NetworkManagerBus.settingsPath, NetworkManagerBus.settings,
        NetworkManagerBus.listConnections, [])
      guard let paths = reply?.first?.asObjectPaths else {
        profilesAreStale = true
        return nil
      }
      var current: [ObjectPath: Bool] = [:]
      for path in paths { current[path] = await isNetwork(path) }
      profiles = current
    }
    return profiles.values.contains(true)
  }

  private func isNetwork(_ path: ObjectPath) async -> Bool {
    if let known = profiles[path] { return known }
    let reply = try? await bus.call(
      NetworkManagerBus.name, path, NetworkManagerBus.profile, NetworkManagerBus.getSettings, [])
    let wireless = reply?.first?.asDictionary?[ProfileType.wifi]?.asDictionary
    // What the board offers to others is nothing that it could join.
    return wireless.map { $0["mode"]?.asString != "ap" } ?? false
  }

  private static func availability(state: Int, manager: [String: Value])
    -> StationSnapshot.Availability
  {
    let switches = [
      NetworkManagerBus.networkingEnabled, NetworkManagerBus.wirelessEnabled,
      NetworkManagerBus.wirelessHardwareEnabled,
    ]
    if switches.contains(where: { manager[$0]?.asBool == false }) { return .radioBlocked }
    switch state {
    case ...Int(DeviceState.unmanaged): return .notManaged
    case ...Int(DeviceState.unavailable): return .unavailable
    default: return .available
    }
  }

  /// Keeps the device that was chosen as long as it is there and managed.
  private func chooseDevice(from manager: [String: Value]) async
    -> (ObjectPath, [String: Value])?
  {
    if let devicePath, let device = await properties(of: NetworkManagerBus.device, devicePath),
      device.integer(NetworkManagerBus.state) > Int(DeviceState.unmanaged)
    {
      return (devicePath, device)
    }
    var best: (rank: Int, path: ObjectPath, device: [String: Value])?
    for path in manager[NetworkManagerBus.devices]?.asObjectPaths ?? [] {
      guard let device = await properties(of: NetworkManagerBus.device, path),
        device.integer(NetworkManagerBus.deviceType) == DeviceType.wifi,
        wantedInterface == nil || device[NetworkManagerBus.interface]?.asString == wantedInterface
      else { continue }
      var rank = device.integer(NetworkManagerBus.state) > Int(DeviceState.unmanaged) ? 2 : 0
      let wireless = await properties(of: NetworkManagerBus.wireless, path) ?? [:]
      if wireless.integer(NetworkManagerBus.mode) != WirelessMode.accessPoint { rank += 1 }
      if rank > best?.rank ?? -1 { best = (rank, path, device) }
    }
    guard let best else {
      devicePath = nil
      deviceSignals = nil
      return nil
    }
    if best.path != devicePath {
      devicePath = best.path
      deviceSignals = try? await bus.subscribe(
        MatchRule(
          sender: NetworkManagerBus.name, path: best.path, interface: StandardInterface.properties,
          argument0: NetworkManagerBus.device)
      ) { [weak self] _ in self?.assumeIsolated { $0.invalidate() } }
      // What changed before the subscription was not heard of.
      guard let device = await properties(of: NetworkManagerBus.device, best.path) else {
        return nil
      }
      return (best.path, device)
    }
    return (best.path, best.device)
  }

  private func link(of path: ObjectPath, _ device: [String: Value]) async -> StationSnapshot.Link {
    // Each takes a round trip or two.
    async let accessPoint = accessPoint(of: path)
    async let ipv4 = object(
      device[NetworkManagerBus.ip4Config], NetworkManagerBus.ip4ConfigInterface)
    async let ipv6 = object(
      device[NetworkManagerBus.ip6Config], NetworkManagerBus.ip6ConfigInterface)
    let point = await accessPoint
    let configurations = await (ipv4, ipv6)
    let connectivity = UInt8(exactly: device.integer(NetworkManagerBus.ip4Connectivity))
    return StationSnapshot.Link(
      ssid: point[NetworkManagerBus.ssid]?.asBytes ?? [],
      address: configurations.0.addresses.first.flatMap { IPv4Address($0) },
      signal: point[NetworkManagerBus.strength]?.asInteger.map { Signal.decibels($0) },
      connectivity: connectivity.flatMap { Connectivity(rawValue: $0) } ?? .unknown,
      frequency: point[NetworkManagerBus.frequency]?.asInteger.flatMap { UInt32(exactly: $0) },
      ipv6Addresses: configurations.1.addresses.filter { !$0.hasPrefix("fe80:") },
      gateways: [configurations.0, configurations.1].compactMap { configuration in
        configuration[NetworkManagerBus.gateway]?.asString.flatMap { $0.isEmpty ? nil : $0 }
      },
      nameservers: configurations.0.nameservers + configurations.1.ipv6Nameservers)
  }

  private func accessPoint(of device: ObjectPath) async -> [String: Value] {
    let wireless = await properties(of: NetworkManagerBus.wireless, device) ?? [:]
    return await object(
      wireless[NetworkManagerBus.activeAccessPoint], NetworkManagerBus.accessPoint)
  }

  /// The properties of an object that a property names; none for "no object".
  private func object(_ reference: Value?, _ interface: String) async -> [String: Value] {
    guard let path = reference?.asObjectPath, path != .root else { return [:] }
    return await properties(of: interface, path) ?? [:]
  }

  /// Nil when the object is gone, or NetworkManager is.
  private func properties(of interface: String, _ path: ObjectPath) async -> [String: Value]? {
    let reply = try? await bus.call(
      NetworkManagerBus.name, path, StandardInterface.properties, "GetAll", [.string(interface)])
    return reply?.first?.asDictionary
  }
}

extension [String: Value] {
  /// An integer property; 0, which NetworkManager uses for "unknown", when it is missing.
  fileprivate func integer(_ name: String) -> Int { self[name]?.asInteger ?? 0 }
}

extension [String: Value] {
  /// The addresses of an IP configuration, as text.
  fileprivate var addresses: [String] { texts(NetworkManagerBus.addressData) }

  fileprivate var nameservers: [String] { texts(NetworkManagerBus.nameserverData) }

  /// IPv6's, which are bytes.
  fileprivate var ipv6Nameservers: [String] {
    (self[NetworkManagerBus.nameservers]?.asArray ?? []).compactMap { server in
      guard let bytes = server.asBytes, bytes.count == 16 else { return nil }
      var text = [UInt8](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      let isText = text.withUnsafeMutableBytes { text in
        inet_ntop(
          AF_INET6, bytes, text.bindMemory(to: CChar.self).baseAddress,
          socklen_t(clamping: text.count)) != nil
      }
      return isText ? String(decoding: text.prefix { $0 != 0 }, as: UTF8.self) : nil
    }
  }

  private func texts(_ name: String) -> [String] {
    self[name]?.asArray?.compactMap { $0.asDictionary?[NetworkManagerBus.address]?.asString } ?? []
  }
}
