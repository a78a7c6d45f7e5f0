import DBus
import MainLoop
import RadioSimulator
import Synchronization
import TestSupport
import Testing

/// A program that joins networks: what a board's does, in plain D-Bus.
final class Joiner: Sendable {
  static let name = "org.freedesktop.NetworkManager"
  static let root = ObjectPath(literal: "/org/freedesktop/NetworkManager")
  static let supplicant = "fi.w1.wpa_supplicant1"
  static let device = name + ".Device"
  static let active = name + ".Connection.Active"
  static let profile = name + ".Settings.Connection"

  /// A state of the device and its reason.
  struct DeviceState: Equatable, CustomStringConvertible {
    let state: Int
    let reason: Int

    init(_ state: Int, _ reason: Int) {
      self.state = state
      self.reason = reason
    }

    var description: String { "\(state)(\(reason))" }
  }

  let manager: SimulatedNetworkManager
  let bus: Connection
  private let heard = Mutex<[Message]>([])
  private let waiting = Mutex<[@Sendable () -> Void]>([])
  private let subscriptions = Mutex<[Subscription]>([])

  private init(_ manager: SimulatedNetworkManager, _ bus: Connection) {
    self.manager = manager
    self.bus = bus
  }

  private func listen(to sender: String) async throws {
    let all = try await bus.subscribe(MatchRule(sender: sender)) { [weak self] message in
      self?.heard.withLock { $0.append(message) }
      let waiting = self?.waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for next in waiting ?? [] { next() }
    }
    subscriptions.withLock { $0.append(all) }
  }

  /// Runs a test beside a simulated NetworkManager.
  static func inRange(
    of points: [SimulatedAccessPoint], station: SimulatedStation = SimulatedStation(),
    _ body: @escaping @Sendable (Joiner) async throws -> Void
  ) async throws {
    try await onPrivateBus { loop, bus in
      let manager = SimulatedNetworkManager(
        loop: loop, busAddress: bus.address, station: station, accessPoints: points)
      try await manager.start()
      let joiner = Joiner(manager, try await Connection.open(.address(bus.address), loop: loop))
      try await joiner.listen(to: name)
      try await joiner.listen(to: supplicant)
      try await body(joiner)
      await joiner.bus.close()
      await manager.stop()
    }
  }

  // MARK: - What it hears

  /// How many signals have come: waits may begin there.
  var now: Int { heard.withLock { $0.count } }

  /// Waits for a signal that makes something of itself.
  func wait<Result: Sendable>(
    since start: Int = 0, for match: @escaping @Sendable (Message) -> Result?
  ) async -> Result {
    while true {
      let (found, count) = heard.withLock {
        ($0.dropFirst(start).lazy.compactMap(match).first, $0.count)
      }
      if let found { return found }
      await withCheckedContinuation { continuation in
        let isLate = heard.withLock { heard in
          if heard.count != count { return true }
          waiting.withLock { $0.append { continuation.resume() } }
          return false
        }
        if isLate { continuation.resume() }
      }
    }
  }

  /// Waits until the device enters a state, and returns its reason.
  @discardableResult
  func wait(forDevice state: Int, since start: Int = 0) async -> Int {
    await wait(since: start) {
      let entered = Self.deviceState($0)
      return entered?.state == state ? entered?.reason : nil
    }
  }

  /// The states that the device has entered.
  func deviceStates(since start: Int = 0) -> [DeviceState] {
    heard.withLock { $0.dropFirst(start).compactMap(Self.deviceState) }
  }

  private static func deviceState(_ message: Message) -> DeviceState? {
    guard message.member == "StateChanged", message.interface == device,
      let state = message.arguments[0].asInteger, let reason = message.arguments[2].asInteger
    else { return nil }
    return DeviceState(state, reason)
  }

  /// What wpa_supplicant has told of one of its properties.
  func told(_ property: String) -> [Value] {
    heard.withLock {
      $0.compactMap { message in
        guard message.member == "PropertiesChanged",
          message.arguments[0].asString == Self.supplicant + ".Interface"
        else { return nil }
        return message.arguments[1].asDictionary?[property]
      }
    }
  }

  /// The `EAP` signals of wpa_supplicant, each as `status/parameter`.
  var eap: [String] {
    heard.withLock {
      $0.compactMap { message in
        guard message.member == "EAP", message.interface == Self.supplicant + ".Interface" else {
          return nil
        }
        return message.arguments.map { $0.asString ?? "?" }.joined(separator: "/")
      }
    }
  }

  // MARK: - What it does

  /// Calls a method of the manager.
  @discardableResult
  func call(_ member: String, _ arguments: [Value] = []) async throws(BusError) -> [Value] {
    try await call(Self.root, Self.name, member, arguments)
  }

  @discardableResult
  func call(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = []
  ) async throws(BusError) -> [Value] {
    try await bus.call(Self.name, path, interface, member, arguments)
  }

  func property(_ name: String, of interface: String = name, _ path: ObjectPath = root)
    async throws -> Value
  {
    try await bus.property(name, of: interface, Self.name, path)
  }

  func device() async throws -> ObjectPath {
    try #require(try await call("GetDevices").first?.asObjectPaths?.first)
  }

  /// The UUID of the profile that the device is used for.
  func activeUUID() async throws -> String? {
    let path = try await property("ActiveConnection", of: Self.device, try await device())
    guard let path = path.asObjectPath, path != .root else { return nil }
    // It may have ended in between.
    return try? await property("Uuid", of: Self.active, path).asString
  }

  /// Waits until the device is connected with a profile.
  func wait(forConnection uuid: String) async throws {
    while true {
      let start = now
      let state = try await property("State", of: Self.device, try await device())
      if state == .uint32(100), try await activeUUID() == uuid { return }
      await wait(since: start) { _ in () }
    }
  }

  /// Adds a profile for the time of its activation, and activates it.
  @discardableResult
  func join(
    _ settings: SimulatedProfile.Settings, at point: ObjectPath = .root,
    persist: String = "volatile"
  ) async throws(BusError) -> (profile: ObjectPath, active: ObjectPath) {
    let reply = try await call(
      "AddAndActivateConnection2",
      [
        Self.value(settings), .objectPath(.root), .objectPath(point),
        .properties(["persist": .string(persist)]),
      ])
    return (reply[0].asObjectPath ?? .root, reply[1].asObjectPath ?? .root)
  }

  static func value(_ settings: SimulatedProfile.Settings) -> Value {
    .dictionary(
      key: .string, value: .dictionary(key: .string, value: .variant),
      settings.map { .init(.string($0), .properties($1)) })
  }

  /// The access points in NetworkManager's list.
  func accessPoints() async throws -> [ObjectPath] {
    let list = try await call(try await device(), Self.device + ".Wireless", "GetAllAccessPoints")
    return try #require(list.first?.asObjectPaths)
  }

  /// Waits until the list is new.
  func scan(for ssids: [[UInt8]] = []) async throws {
    let device = try await device()
    let start = now
    let options: [String: Value] =
      ssids.isEmpty
      ? [:] : ["ssids": .array(element: .array(.byte), ssids.map { .bytes($0) })]
    try await call(device, Self.device + ".Wireless", "RequestScan", [.properties(options)])
    await wait(since: start) { message in
      message.member == "PropertiesChanged"
        && message.arguments[1].asDictionary?["LastScan"] != nil ? () : nil
    }
  }

  /// The profile at which a UUID is found.
  func profile(_ uuid: String) async throws -> ObjectPath {
    let settings = ObjectPath(literal: "/org/freedesktop/NetworkManager/Settings")
    let reply = try await call(
      settings, Self.name + ".Settings", "GetConnectionByUuid", [.string(uuid)])
    return try #require(reply.first?.asObjectPath)
  }
}

extension SimulatedProfile.Settings {
  /// What is needed to join; NetworkManager completes it.
  static func joining(
    _ ssid: String, psk: String? = nil, keyManagement: String? = nil, uuid: String? = nil
  ) -> Self {
    var settings: Self = ["802-11-wireless": ["ssid": .bytes(Array(ssid.utf8))]]
    if psk != nil || keyManagement != nil {
      settings["802-11-wireless-security"] = ["key-mgmt": .string(keyManagement ?? "wpa-psk")]
    }
    if let psk { settings["802-11-wireless-security"]?["psk"] = .string(psk) }
    if let uuid { settings["connection"] = ["uuid": .string(uuid)] }
    return settings
  }
}
