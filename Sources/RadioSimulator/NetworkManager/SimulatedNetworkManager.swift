package import DBus
package import MainLoop

/// Plays NetworkManager for one Wi-Fi device, as far as libnm and nmcli look.
///
/// Devices go through NetworkManager's own sequences of states and reasons; the times in between
/// are NetworkManager's, made shorter.
package actor SimulatedNetworkManager {
  package nonisolated let loop: MainLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  private let busAddress: String
  /// What a second of the real NetworkManager takes here.
  let timeScale: Double

  var bus: Connection?
  private(set) var supplicant: SimulatedSupplicant?
  /// The access points that a scan would find now.
  private(set) var air: [SimulatedAccessPoint]
  /// The names of those that have fallen silent.
  private(set) var silent: Set<String> = []
  /// Who falls silent when wpa_supplicant next enters a state.
  private var silentFrom: [String: String] = [:]
  var visible: [VisibleAccessPoint] = []
  private var lastNumber = 0

  var station: SimulatedStation
  var device = SimulatedWirelessDevice()
  var profiles: [ObjectPath: SimulatedProfile] = [:]
  /// What the device is used for.
  var active: SimulatedActivation?
  /// What it will be used for when it has let go of that.
  var queued: SimulatedActivation?
  /// The Ethernet device; nil while there is none.
  var wired: SimulatedWiredDevice?
  var checkpoints: [SimulatedCheckpoint] = []
  var uses = 0
  /// Whether this program's user may make no checkpoint.
  private(set) var refusesCheckpoints = false
  var networkState = NetworkState.disconnected

  /// - Parameters:
  ///   - busAddress: the private bus.
  ///   - hasSupplicant: whether wpa_supplicant's own signals are heard, as on most boards.
  ///   - timeScale: 1 for NetworkManager's own times, such as 25 s for an association that fails.
  package init(
    loop: MainLoop, busAddress: String, station: SimulatedStation = SimulatedStation(),
    accessPoints: [SimulatedAccessPoint] = [], timeScale: Double = 0.02,
    hasSupplicant: Bool = true
  ) {
    self.loop = loop
    self.busAddress = busAddress
    self.station = station
    self.timeScale = timeScale
    self.station.hasSupplicant = station.hasSupplicant && hasSupplicant
    air = accessPoints.flatMap(\.beacons)
  }

  // MARK: - What happens to it

  /// Comes up on the bus, with the profiles that were saved.
  package func start() async throws(BusError) {
    guard bus == nil else { return }
    if station.hasSupplicant, supplicant == nil {
      supplicant = try await SimulatedSupplicant.start(busAddress: busAddress, loop: loop)
    }
    let bus = try await Connection.open(.address(busAddress), loop: loop)
    self.bus = bus
    export(NetworkManagerName.manager, [managerInterface])
    export(NetworkManagerName.settings, [settingsInterface])
    await bus.exportObjectManager(at: NetworkManagerName.objectManager)
    for path in profiles.keys { export(path, [profileInterface(path)]) }
    if station.hasEthernet { addWiredDevice() }
    if station.hasDevice { addDevice() }
    updateNetworkState()
    try await bus.requestName(NetworkManagerName.bus)
  }

  /// Leaves the bus as when it is told to: objects and volatile profiles are gone.
  package func stop() async {
    guard let bus else { return }
    // It lets go of its devices first, as if they were pulled out.
    if active != nil { setDevice(.deactivating, .nowUnmanaged) }
    setDevice(.unmanaged, .removed)
    self.bus = nil
    active?.steps?.cancel()
    active = nil
    queued = nil
    for checkpoint in checkpoints { checkpoint.timer?.cancel() }
    checkpoints = []
    device = SimulatedWirelessDevice()
    wired = nil
    visible = []
    profiles = profiles.filter { $0.value.isSaved }
    networkState = .disconnected
    // Waited for, so that whoever calls next finds nobody; a bus that has gone needs no release.
    try? await bus.releaseName(NetworkManagerName.bus)
    await bus.close()
  }

  /// Puts other access points on the air; the list changes with the next scan.
  package func setAccessPoints(_ points: [SimulatedAccessPoint]) {
    air = points.flatMap(\.beacons)
  }

  /// Takes an access point off the air at once, or puts it back.
  ///
  /// - Returns: whether there is one of that name.
  @discardableResult
  package func setAccessPoint(_ name: String, isSilent: Bool) -> Bool {
    guard air.contains(where: { $0.name == name }) else { return false }
    if isSilent {
      silent.insert(name)
      loseLink()
    } else {
      silent.remove(name)
      scanByItself()
    }
    return true
  }

  /// Changes the device, the radio switch, or whether the device is managed.
  package func change(_ edit: @Sendable (inout SimulatedStation) -> Void) {
    let old = station
    edit(&station)
    guard bus != nil else { return }
    if old.hasDevice, !station.hasDevice { removeDevice() }
    if !old.hasDevice, station.hasDevice { return addDevice() }
    if station.hasDevice, old != station {
      changed(NetworkManagerName.manager, NetworkManagerName.Interface.manager, ["WirelessEnabled"])
      settleDevice()
    }
  }

  /// Refuses every request that changes something, or stops doing so.
  package func setRefusesEveryone(_ refuses: Bool) { station.isPermitted = !refuses }

  /// Refuses checkpoints alone, as a policy may, or stops doing so.
  package func setRefusesCheckpoints(_ refuses: Bool) { refusesCheckpoints = refuses }

  /// Makes saving a profile fail, or work again.
  package func setDiskIsReadOnly(_ isReadOnly: Bool) { station.hasWritableStorage = !isReadOnly }

  /// Takes an access point off the air when wpa_supplicant next enters a state, such as
  /// `4way_handshake`.
  ///
  /// - Returns: whether there is one of that name.
  @discardableResult
  package func setAccessPoint(_ name: String, isSilentFrom state: String) -> Bool {
    guard air.contains(where: { $0.name == name }) else { return false }
    silentFrom[state] = name
    return true
  }

  /// All profiles, in the order of their making.
  package var allProfiles: [SimulatedProfile] {
    profiles.sorted { number(of: $0.key) < number(of: $1.key) }.map(\.value)
  }

  /// The profile that the device is connected with.
  package var connectedProfile: SimulatedProfile? {
    device.state == .activated ? active.flatMap { profiles[$0.profile] } : nil
  }

  /// Keeps a profile as if it had been saved some time ago.
  ///
  /// - Parameter keyManagement: as in NetworkManager, such as `wpa-psk`; nil for an open network.
  package func addProfile(
    uuid: String, ssid: [UInt8], keyManagement: String? = nil, password: String? = nil
  ) {
    typealias Name = NetworkManagerName.Setting
    var settings: SimulatedProfile.Settings = [
      Name.connection: [
        Name.id: .string(String(decoding: ssid, as: UTF8.self)), Name.uuid: .string(uuid),
        Name.type: .string(Name.wireless),
      ],
      Name.wireless: [Name.ssid: .bytes(ssid), Name.mode: .string("infrastructure")],
      "ipv4": ["method": .string("auto")],
      "ipv6": ["method": .string("auto")],
    ]
    if let keyManagement { settings[Name.security] = [Name.keyManagement: .string(keyManagement)] }
    if let password { settings[Name.security]?[Name.psk] = .string(password) }
    addProfile(settings)
  }

  /// Keeps a profile of any type as if it had been saved some time ago.
  package func addProfile(_ settings: SimulatedProfile.Settings) {
    keep(SimulatedProfile(settings: settings, isVolatile: false, isSaved: true))
    connectLater()
  }

  /// Activates a profile, as another program would ask for it.
  package func activateProfile(uuid: String) {
    guard let path = profiles.first(where: { $0.value.uuid == uuid })?.key else { return }
    activate(path, at: accessPoint(for: path)?.path)
  }

  // MARK: - Shared by the interfaces

  func export(_ path: ObjectPath, _ interfaces: [Interface]) {
    bus?.assumeIsolated { $0.export(path, interfaces) }
  }

  func unexport(_ path: ObjectPath) { bus?.assumeIsolated { $0.unexport(path) } }

  func newPath(_ kind: String) -> ObjectPath {
    lastNumber += 1
    return NetworkManagerName.manager.appending(kind)?.appending(String(lastNumber)) ?? .root
  }

  /// A UUID that no other profile has.
  func newUUID() -> String {
    lastNumber += 1
    let digits = String(lastNumber)
    return "00000000-0000-4000-8000-"
      + String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
  }

  func number(of path: ObjectPath) -> Int { Int(path.lastElement) ?? 0 }

  /// Tells of properties that changed, with their values of now.
  func changed(_ path: ObjectPath, _ interface: String, _ names: [String]) {
    bus?.assumeIsolated { $0.propertiesChanged(path, interface, of: names) }
  }

  func emit(_ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = []) {
    bus?.assumeIsolated { $0.emit(path, interface, member, arguments) }
  }

  /// A property that is read from the state when it is asked for.
  func property(
    _ name: String, _ type: StaticString,
    _ read: @escaping @Sendable (isolated SimulatedNetworkManager) -> Value
  ) -> Property {
    Property(name, type, get: { [weak self] in self?.assumeIsolated { read($0) } })
  }

  /// A method that is answered at once.
  func method(
    _ name: String, in input: StaticString = "", out output: StaticString = "",
    _ body: @escaping @Sendable (isolated SimulatedNetworkManager, MethodCall) -> MethodOutcome
  ) -> Method {
    Method(name, in: input, out: output) { [weak self] call in
      self?.assumeIsolated { body($0, call) } ?? .error(.disconnected)
    }
  }

  /// A method that only the permitted may call.
  func guarded(
    _ name: String, in input: StaticString = "", out output: StaticString = "",
    _ body: @escaping @Sendable (isolated SimulatedNetworkManager, MethodCall) -> MethodOutcome
  ) -> Method {
    method(name, in: input, out: output) { manager, call in
      guard manager.station.isPermitted else {
        return .error(
          BusError(
            name: NetworkManagerName.Failure.permissionDenied, message: "Not authorized."))
      }
      return body(manager, call)
    }
  }

  /// A length of NetworkManager's time, as it passes here.
  func time(_ duration: Duration) -> Duration { duration * timeScale }

  /// Has wpa_supplicant tell what has changed, where it is heard.
  func tell(
    state: String? = nil, authentication: Int32? = nil, association: Int32? = nil,
    disconnection: Int32? = nil
  ) {
    supplicant?.assumeIsolated {
      $0.tell(
        state: state, authentication: authentication, association: association,
        disconnection: disconnection)
    }
    if let state, let name = silentFrom.removeValue(forKey: state) {
      setAccessPoint(name, isSilent: true)
    }
  }

  func tellEAP(_ status: String, _ parameter: String) {
    supplicant?.assumeIsolated { $0.tellEAP(status, parameter) }
  }
}
