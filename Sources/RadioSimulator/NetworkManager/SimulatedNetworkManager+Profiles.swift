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

  private func add(_ call: MethodCall, flags: UpdateFlags) -> Result<ObjectPath, BusError> {
    guard let settings = SimulatedProfile.Settings(call.arguments.first) else {
      return .failure(.invalidArguments("no settings"))
    }
    let known: UpdateFlags = [.toDisk, .inMemory, .blockAutoconnect]
    guard known.isSuperset(of: flags), flags.contains(.toDisk) != flags.contains(.inMemory) else {
      return .failure(Self.unknownFlags)
    }
    if let error = objection(to: settings) { return .failure(error) }
    let isSaved = flags.contains(.toDisk)
    if isSaved, !station.hasWritableStorage { return .failure(Self.readOnly) }
    let path = keep(SimulatedProfile(settings: settings, isVolatile: false, isSaved: isSaved))
    if flags.contains(.blockAutoconnect) { profiles[path]?.isBlocked = true }
    connectLater()
    return .success(path)
  }

  private static let unknownFlags = BusError(
    name: NetworkManagerName.Failure.settingsArguments, message: "Unknown or conflicting flags")

  static let readOnly = BusError(
    name: "org.freedesktop.NetworkManager.Settings.Failed",
    message: "failure to write profile: Read-only file system")

  /// What is wrong with the settings of a new profile.
  func objection(to settings: SimulatedProfile.Settings) -> BusError? {
    typealias Name = NetworkManagerName.Setting
    let uuid = settings[Name.connection]?[Name.uuid]?.asString
    if profiles.values.contains(where: { $0.uuid == uuid }) {
      return BusError(
        name: NetworkManagerName.Failure.uuidExists,
        message: "A connection with this UUID already exists.")
    }
    return invalidity(of: settings)
  }

  private func invalidity(of settings: SimulatedProfile.Settings) -> BusError? {
    typealias Name = NetworkManagerName.Setting
    let common = settings[Name.connection] ?? [:]
    if common[Name.uuid]?.asString == nil || common[Name.id]?.asString == nil {
      return BusError(
        name: NetworkManagerName.Failure.invalidProfile,
        message: "connection.id: property is missing")
    }
    let profile = SimulatedProfile(settings: settings, isVolatile: false, isSaved: false)
    guard (common[Name.type]?.asString ?? Name.wireless) == Name.wireless else { return nil }
    guard (1...32).contains(profile.ssid.count) else {
      return BusError(
        name: NetworkManagerName.Failure.invalidProfile,
        message: "802-11-wireless.ssid: property is missing")
    }
    if profile.keyManagement == "wpa-eap", settings[Name.enterprise] == nil {
      return BusError(
        name: NetworkManagerName.Failure.missingSetting,
        message: "802-1x: 'wpa-eap' security requires '802-1x' setting presence")
    }
    for family in ["ipv4", "ipv6"] where settings[family]?["method"]?.asString == "manual" {
      if IPConfiguration(settings[family] ?? [:]).addresses.isEmpty {
        return BusError(
          name: NetworkManagerName.Failure.invalidProfile,
          message: "\(family).addresses: this property cannot be empty for 'method=manual'")
      }
    }
    return nil
  }

  private func update(
    _ path: ObjectPath, _ settings: SimulatedProfile.Settings, flags: UpdateFlags
  ) -> BusError? {
    guard flags.isValid else { return Self.unknownFlags }
    if !settings.isEmpty, let error = invalidity(of: settings) { return error }
    if flags.contains(.toDisk), !station.hasWritableStorage { return Self.readOnly }
    profiles[path]?.update(settings)
    profiles[path]?.isBlocked = flags.contains(.blockAutoconnect)
    profiles[path]?.failures = 0
    if flags.contains(.toDisk) {
      profiles[path]?.isSaved = true
      profiles[path]?.isVolatile = false
    } else if flags.isInMemory {
      profiles[path]?.isSaved = false
      profiles[path]?.isVolatile = flags.contains(.volatile)
    }
    changed(path, NetworkManagerName.Interface.profile, ["Flags", "Unsaved", "Filename"])
    emit(path, NetworkManagerName.Interface.profile, "Updated")
    if profiles[path]?.isVolatile == true, !activations.contains(where: { $0.profile == path }) {
      remove(path)
    } else {
      connectLater()
    }
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
          Self.outcome(manager.add(call, flags: .toDisk)) { [.objectPath($0)] }
        },
        guarded("AddConnectionUnsaved", in: "a{sa{sv}}", out: "o") { manager, call in
          Self.outcome(manager.add(call, flags: .inMemory)) { [.objectPath($0)] }
        },
        guarded("AddConnection2", in: "a{sa{sv}}ua{sv}", out: "oa{sv}") { manager, call in
          let flags = UpdateFlags(rawValue: UInt32(clamping: call.arguments[1].asInteger ?? 0))
          return Self.outcome(manager.add(call, flags: flags)) {
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
          guard let secrets = manager.profiles[path]?.secrets(of: setting) else {
            return .error(
              BusError(
                name: NetworkManagerName.Failure.missingSettingOfProfile,
                message: "Connection didn't have requested setting '\(setting)'."))
          }
          return .reply([secrets.value])
        },
        guarded("Update", in: "a{sa{sv}}") { manager, call in
          guard let settings = SimulatedProfile.Settings(call.arguments.first) else {
            return .error(.invalidArguments("no settings"))
          }
          return manager.update(path, settings, flags: .toDisk).map { .error($0) } ?? .reply([])
        },
        guarded("Update2", in: "a{sa{sv}}ua{sv}", out: "a{sv}") { manager, call in
          guard let settings = SimulatedProfile.Settings(call.arguments.first),
            let flags = call.arguments[1].asInteger.flatMap({ UInt32(exactly: $0) })
              .map({ UpdateFlags(rawValue: $0) })
          else { return .error(.invalidArguments("no settings")) }
          return manager.update(path, settings, flags: flags).map { .error($0) }
            ?? .reply([.properties([:])])
        },
        guarded("Save") { manager, _ in
          manager.update(path, [:], flags: .toDisk).map { .error($0) } ?? .reply([])
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
