package import DBus
package import MainLoop

/// Plays BlueZ 5.66 for the adapters of one room: what one registers, the others find and reach.
///
/// Both ends of every link are served by this one object, as bluetoothd serves all adapters of a
/// machine. The file-descriptor way of writing and notifying is not played.
package actor SimulatedBlueZ {
  package nonisolated let loop: MainLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Something that fails the next time it is asked for.
  package enum Refusal: String, Sendable, CaseIterable {
    case advertisement
    case agent
    case application
    case connection
  }

  private let busAddress: String
  let timing: RadioTiming

  var bus: Connection?
  private var departures: Subscription?
  /// The hardware, which a restart of BlueZ does not touch.
  private var radios: [UInt8: SimulatedAdapter] = [:]
  private var aliases: [UInt8: String] = [:]
  private(set) var blocked: Set<UInt8> = []
  private(set) var outOfReach: Set<UInt8> = []
  private var refusals: Set<Refusal> = []
  private var hidesConnection = false
  private var replyDelay = Duration.zero

  var adapters: [UInt8: Adapter] = [:]
  var devices: [DeviceKey: RemoteDevice] = [:]
  var links: [LinkKey: Link] = [:]
  var connecting: [DeviceKey: ConnectionAttempt] = [:]
  var reads: [AttributeKey: PendingRead] = [:]
  var writes: [AttributeKey: PendingWrite] = [:]
  /// The first is the default one.
  var agents: [PairingAgent] = []
  var pairing: [LinkKey: MethodCall] = [:]
  /// What an adapter keeps of a peer that it paired with, over restarts.
  var bonds: [DeviceKey: LinkNeed] = [:]
  var isListening = false
  private var lastNumber: UInt64 = 0

  /// Plays BlueZ on a private bus once ``start()`` is called.
  package init(
    loop: MainLoop, busAddress: String, adapters: [SimulatedAdapter],
    timing: RadioTiming = RadioTiming()
  ) {
    self.loop = loop
    self.busAddress = busAddress
    self.timing = timing
    for radio in adapters { radios[radio.index] = radio }
  }

  // MARK: - What happens to it

  /// Comes up on the bus, with the adapters that are there.
  package func start() async throws(BusError) {
    guard bus == nil else { return }
    let bus = try await Connection.open(.address(busAddress), loop: loop)
    self.bus = bus
    await bus.exportObjectManager(at: .root)
    await bus.export(BlueZ.path, [agentManagerInterface])
    departures = try await bus.subscribe(
      MatchRule(
        sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus",
        member: "NameOwnerChanged")
    ) { [weak self] message in
      guard let name = message.arguments.first?.asString, name.hasPrefix(":"),
        message.arguments.last?.asString == ""
      else { return }
      self?.assumeIsolated { $0.forgetClient(name) }
    }
    for index in radios.keys.sorted() { plugIn(index) }
    try await bus.requestName(BlueZ.busName)
  }

  /// Leaves the bus, as a crash would: links, objects and registrations are gone.
  package func stop() async {
    guard let bus else { return }
    self.bus = nil
    departures = nil
    adapters = [:]
    devices = [:]
    links = [:]
    connecting = [:]
    reads = [:]
    writes = [:]
    agents = []
    pairing = [:]
    // Waited for, so that whoever calls next finds nobody; a bus that has gone needs no release.
    try? await bus.releaseName(BlueZ.busName)
    await bus.close()
  }

  /// Puts an adapter into the room, or replaces one.
  package func addAdapter(_ radio: SimulatedAdapter) {
    removeAdapter(radio.index)
    radios[radio.index] = radio
    if bus != nil { plugIn(radio.index) }
  }

  /// Takes an adapter out of the room.
  package func removeAdapter(_ index: UInt8) {
    radios[index] = nil
    blocked.remove(index)
    guard let adapter = adapters[index] else { return }
    goOffAir(index)
    for key in devices.keys where key.adapter == index { removeDevice(key) }
    for key in adapter.advertising.keys { releaseAdvertisement(key, of: index) }
    adapters[index] = nil
    unexport(adapter.path)
  }

  /// Switches an adapter on or off, as a program would by its property.
  package func setPowered(_ isPowered: Bool, adapter index: UInt8) {
    changePower(of: index, to: isPowered)
  }

  /// Blocks an adapter as rfkill does, which switches it off, or lets it be switched on again.
  package func setBlocked(_ isBlocked: Bool, adapter index: UInt8) {
    if isBlocked {
      blocked.insert(index)
      changePower(of: index, to: false)
    } else {
      blocked.remove(index)
    }
  }

  /// Ends all links of an adapter, as if the peers had gone.
  package func dropLinks(of index: UInt8) {
    for key in links.keys where key.contains(index) { endLink(key) }
  }

  /// Takes an adapter out of the others' reach, or brings it back; links end.
  package func setOutOfReach(_ isOut: Bool, adapter index: UInt8) {
    if isOut {
      outOfReach.insert(index)
      dropLinks(of: index)
    } else {
      outOfReach.remove(index)
    }
  }

  /// Makes the next request of that kind fail.
  package func refuseNext(_ refusal: Refusal) { refusals.insert(refusal) }

  /// Keeps quiet about `Connected` at the end that makes the next link.
  ///
  /// BlueZ 5.66 does so when its ATT socket is connected before the kernel's event arrives
  /// (`att_connect_cb` and `device_add_connection` in src/device.c).
  package func hideNextConnection() { hidesConnection = true }

  /// Lets every later reply wait.
  package func setReplyDelay(_ delay: Duration) { replyDelay = delay }

  /// Sets the largest MTU that an adapter agrees to on later links, 23 to 517 bytes.
  package func setMTU(_ mtu: UInt16, adapter index: UInt8) { radios[index]?.mtu = mtu }

  /// Whether two adapters have a link.
  package func isLinked(_ a: UInt8, _ b: UInt8) -> Bool { links[LinkKey(a, b)] != nil }

  /// How many advertisements of an adapter are on the air.
  package func advertisementCount(of index: UInt8) -> Int { adapters[index]?.onAir.count ?? 0 }

  // MARK: - Shared by the interfaces

  func mtu(between a: UInt8, _ b: UInt8) -> UInt16 {
    min(radios[a]?.mtu ?? 23, radios[b]?.mtu ?? 23)
  }

  func remember(alias: String?, of index: UInt8) { aliases[index] = alias }

  /// Whether a request of that kind is to fail now.
  func refuses(_ refusal: Refusal) -> Bool { refusals.remove(refusal) != nil }

  /// Whether the link that is being made is one to keep quiet about.
  func hides() -> Bool {
    defer { hidesConnection = false }
    return hidesConnection
  }

  func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Runs something that waits, after what is already queued.
  func run(_ body: @escaping @Sendable (isolated SimulatedBlueZ) async -> Void) {
    Task(executorPreference: loop) { await body(self) }
  }

  func pause(_ duration: Duration) async {
    // Nobody cancels these tasks.
    try? await loop.sleep(for: duration)
  }

  func export(_ path: ObjectPath, _ interfaces: [Interface]) {
    bus?.assumeIsolated { $0.export(path, interfaces) }
  }

  func unexport(_ path: ObjectPath) { bus?.assumeIsolated { $0.unexport(path) } }

  /// Calls a method of a program that is not waited for.
  func post(_ owner: AttributeOwner, _ interface: String, _ member: String) {
    bus?.assumeIsolated { bus in
      // A program that has gone needs no call.
      try? bus.post(owner.application.owner, owner.path, interface, member)
    }
  }

  /// Tells of properties that changed; those without a value are invalidated.
  func changed(
    _ path: ObjectPath, _ interface: String, _ names: [String], _ read: (String) -> Value?
  ) {
    let values = names.reduce(into: [String: Value]()) { $0[$1] = read($1) }
    let invalidated = names.filter { values[$0] == nil }
    bus?.assumeIsolated {
      $0.propertiesChanged(path, interface, values, invalidated: invalidated)
    }
  }

  func property(
    _ name: String, _ type: StaticString,
    _ read: @escaping @Sendable (isolated SimulatedBlueZ) -> Value?,
    set: (@Sendable (isolated SimulatedBlueZ, Value) -> BusError?)? = nil
  ) -> Property {
    let setter = set.map { set in
      { @Sendable [weak self] (value: Value, _: MethodCall) -> BusError? in
        guard let self else { return .disconnected }
        return self.assumeIsolated { set($0, value) }
      }
    }
    return Property(
      name, type, get: { [weak self] in self?.assumeIsolated { read($0) } }, set: setter)
  }

  func method(
    _ name: String, in input: StaticString = "", out output: StaticString = "",
    _ body: @escaping @Sendable (isolated SimulatedBlueZ, MethodCall) -> MethodOutcome
  ) -> Method {
    Method(name, in: input, out: output) { [weak self] call in
      guard let self else { return .error(.disconnected) }
      return self.assumeIsolated { bluez in
        let outcome = body(bluez, call)
        guard bluez.replyDelay > .zero else { return outcome }
        bluez.answer(call, outcome)
        return .later
      }
    }
  }

  /// Answers a call that was kept.
  func answer(_ call: MethodCall, _ outcome: MethodOutcome) {
    if case .later = outcome { return }
    guard replyDelay > .zero else { return call.answer(outcome) }
    loop.after(replyDelay) { call.answer(outcome) }
  }

  // MARK: - Adapters and programs that come and go

  private func plugIn(_ index: UInt8) {
    guard let radio = radios[index] else { return }
    let adapter = Adapter(
      radio: radio, isPowered: radio.isPowered && !blocked.contains(index),
      isPairable: !agents.isEmpty, alias: aliases[index] ?? Self.hostName)
    adapters[index] = adapter
    export(adapter.path, [adapterInterface(index)])
    guard radio.hasLowEnergy else { return }
    loop.after(timing.managers) { [weak self] in
      self?.assumeIsolated { bluez in
        guard bluez.adapters[index] != nil, bluez.radios[index] == radio else { return }
        bluez.export(
          adapter.path,
          [bluez.gattManagerInterface(index), bluez.advertisingManagerInterface(index)])
      }
    }
  }

  static let hostName = "simulated"

  private func forgetClient(_ name: String) {
    if agents.contains(where: { $0.owner == name }) { removeAgent(of: name) }
    for (index, adapter) in adapters {
      for key in adapter.applications.keys where key.owner == name {
        removeApplication(key, from: index)
      }
      for key in adapter.advertising.keys where key.owner == name {
        removeAdvertisement(key, from: index)
      }
      if adapter.discovery[name] != nil { endDiscovery(of: name, on: index, forgetFilter: true) }
    }
    for (key, device) in devices {
      for (handle, characteristic) in device.characteristics
      where characteristic.sessions[name] != nil {
        endSession(of: name, on: AttributeKey(device: key, handle: handle))
      }
    }
  }
}
