internal import DBus

extension SimulatedNetworkManager {
  /// Adds a profile to the bus.
  @discardableResult
  func keep(_ profile: SimulatedProfile) -> ObjectPath {
    let path = newPath("Settings")
    profiles[path] = profile
    export(path, [profileInterface(path)])
    changed(
      NetworkManagerName.settings, NetworkManagerName.Interface.settings, ["Connections"])
    emit(
      NetworkManagerName.settings, NetworkManagerName.Interface.settings, "NewConnection",
      [.objectPath(path)])
    return path
  }

  func remove(_ path: ObjectPath) {
    guard profiles.removeValue(forKey: path) != nil else { return }
    emit(path, NetworkManagerName.Interface.profile, "Removed")
    changed(
      NetworkManagerName.settings, NetworkManagerName.Interface.settings, ["Connections"])
    emit(
      NetworkManagerName.settings, NetworkManagerName.Interface.settings, "ConnectionRemoved",
      [.objectPath(path)])
    unexport(path)
    if queued?.profile == path { dropQueued() }
    if active?.profile == path { deactivate(.connectionRemoved, .connectionRemoved) }
  }

  private func add(_ call: MethodCall, isSaved: Bool) -> Result<ObjectPath, BusError> {
    guard let settings = SimulatedProfile.Settings(call.arguments.first) else {
      return .failure(.invalidArguments("no settings"))
    }
    if let error = objection(to: settings) { return .failure(error) }
    if isSaved, diskIsReadOnly { return .failure(Self.readOnly) }
    let path = keep(SimulatedProfile(settings: settings, isVolatile: false, isSaved: isSaved))
    connectLater()
    return .success(path)
  }

  static let readOnly = BusError(
    name: "org.freedesktop.NetworkManager.Settings.Failed",
    message: "failure to write profile: Read-only file system")

  func objection(to settings: SimulatedProfile.Settings) -> BusError? {
    typealias Name = NetworkManagerName.Setting
    let uuid = settings[Name.connection]?[Name.uuid]?.asString
    if uuid == nil || settings[Name.connection]?[Name.id]?.asString == nil {
      return BusError(
        name: NetworkManagerName.Failure.invalidProfile,
        message: "connection.id: property is missing")
    }
    if profiles.values.contains(where: { $0.uuid == uuid }) {
      return BusError(
        name: NetworkManagerName.Failure.uuidExists,
        message: "A connection with this UUID already exists.")
    }
    guard let ssid = settings[Name.wireless]?[Name.ssid]?.asBytes, (1...32).contains(ssid.count)
    else {
      return BusError(
        name: NetworkManagerName.Failure.invalidProfile,
        message: "802-11-wireless.ssid: property is missing")
    }
    return nil
  }

  private func update(_ path: ObjectPath, _ settings: SimulatedProfile.Settings, flags: UInt32)
    -> BusError?
  {
    // To the disk, or as it was.
    let toDisk = flags & 0x1 != 0
    if toDisk, diskIsReadOnly { return Self.readOnly }
    profiles[path]?.update(settings)
    profiles[path]?.isBlocked = false
    if toDisk {
      profiles[path]?.isSaved = true
      profiles[path]?.isVolatile = false
    }
    changed(path, NetworkManagerName.Interface.profile, ["Flags", "Unsaved"])
    emit(path, NetworkManagerName.Interface.profile, "Updated")
    return nil
  }

  var settingsInterface: Interface {
    Interface(
      NetworkManagerName.Interface.settings,
      methods: [
        method("ListConnections", out: "ao") { manager, _ in
          .reply([.objectPaths(manager.profiles.keys.sorted())])
        },
        method("GetConnectionByUuid", in: "s", out: "o") { manager, call in
          let uuid = call.arguments.first?.asString
          guard let path = manager.profiles.first(where: { $0.value.uuid == uuid })?.key else {
            return .error(
              BusError(
                name: NetworkManagerName.Failure.invalidProfile,
                message: "No connection with the UUID was found."))
          }
          return .reply([.objectPath(path)])
        },
        guarded("AddConnection", in: "a{sa{sv}}", out: "o") { manager, call in
          Self.outcome(manager.add(call, isSaved: true)) { [.objectPath($0)] }
        },
        guarded("AddConnectionUnsaved", in: "a{sa{sv}}", out: "o") { manager, call in
          Self.outcome(manager.add(call, isSaved: false)) { [.objectPath($0)] }
        },
        guarded("AddConnection2", in: "a{sa{sv}}ua{sv}", out: "oa{sv}") { manager, call in
          let toDisk = (call.arguments[1].asInteger ?? 0) & 1 != 0
          return Self.outcome(manager.add(call, isSaved: toDisk)) {
            [.objectPath($0), .properties([:])]
          }
        },
      ],
      properties: [
        property("Connections", "ao") { .objectPaths($0.profiles.keys.sorted()) },
        Property("Hostname", .string("simulated")),
        Property("CanModify", .boolean(true)),
      ],
      signals: [
        SignalDescription("NewConnection", "o"), SignalDescription("ConnectionRemoved", "o"),
      ])
  }

  private static func outcome<Success>(
    _ result: Result<Success, BusError>, _ reply: (Success) -> [Value]
  ) -> MethodOutcome {
    switch result {
    case .success(let value): .reply(reply(value))
    case .failure(let error): .error(error)
    }
  }

  func profileInterface(_ path: ObjectPath) -> Interface {
    Interface(
      NetworkManagerName.Interface.profile,
      methods: [
        method("GetSettings", out: "a{sa{sv}}") { manager, _ in
          .reply([(manager.profiles[path]?.publicSettings ?? [:]).value])
        },
        guarded("GetSecrets", in: "s", out: "a{sa{sv}}") { manager, call in
          let setting = call.arguments.first?.asString ?? ""
          return .reply([(manager.profiles[path]?.secrets(of: setting) ?? [:]).value])
        },
        guarded("Update", in: "a{sa{sv}}") { manager, call in
          guard let settings = SimulatedProfile.Settings(call.arguments.first) else {
            return .error(.invalidArguments("no settings"))
          }
          return manager.update(path, settings, flags: 0x1).map { .error($0) } ?? .reply([])
        },
        guarded("Update2", in: "a{sa{sv}}ua{sv}", out: "a{sv}") { manager, call in
          guard let settings = SimulatedProfile.Settings(call.arguments.first),
            let flags = call.arguments[1].asInteger.flatMap({ UInt32(exactly: $0) })
          else { return .error(.invalidArguments("no settings")) }
          return manager.update(path, settings, flags: flags).map { .error($0) }
            ?? .reply([.properties([:])])
        },
        guarded("Save") { manager, _ in
          manager.update(path, [:], flags: 0x1).map { .error($0) } ?? .reply([])
        },
        guarded("Delete") { manager, _ in
          manager.remove(path)
          return .reply([])
        },
      ],
      properties: [
        property("Unsaved", "b") { .boolean($0.profiles[path]?.isSaved == false) },
        property("Flags", "u") { manager in
          guard let profile = manager.profiles[path] else { return .uint32(0) }
          // Unsaved and volatile.
          return .uint32((profile.isSaved ? 0 : 0x1) | (profile.isVolatile ? 0x4 : 0))
        },
        property("Filename", "s") { manager in
          guard let profile = manager.profiles[path] else { return .string("") }
          let folder = profile.isSaved ? "/etc" : "/run"
          return .string("\(folder)/NetworkManager/system-connections/\(profile.uuid).nmconnection")
        },
      ],
      signals: [SignalDescription("Updated"), SignalDescription("Removed")])
  }
}
