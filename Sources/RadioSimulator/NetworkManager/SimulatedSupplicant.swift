internal import DBus
internal import MainLoop

/// Plays wpa_supplicant's side of a connection, as far as those who listen to it hear.
actor SimulatedSupplicant {
  nonisolated let loop: MainLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private static let name = "fi.w1.wpa_supplicant1"
  private static let root = ObjectPath(literal: "/fi/w1/wpa_supplicant1")
  private static let path = ObjectPath(literal: "/fi/w1/wpa_supplicant1/Interfaces/0")
  private static let interface = "fi.w1.wpa_supplicant1.Interface"

  private let bus: Connection

  private init(_ bus: Connection) {
    loop = bus.loop
    self.bus = bus
  }

  /// Comes up on a bus.
  static func start(busAddress: String, loop: MainLoop) async throws(BusError)
    -> SimulatedSupplicant
  {
    let bus = try await Connection.open(.address(busAddress), loop: loop)
    let getInterface = Method("GetInterface", in: "s", out: "o") { call in
      guard call.arguments.first?.asString == SimulatedWirelessDevice.interface else {
        return .error(
          BusError(
            name: "fi.w1.wpa_supplicant1.InterfaceUnknown",
            message: "wpa_supplicant knows nothing about this interface."))
      }
      return .reply([.objectPath(path)])
    }
    await bus.export(root, [Interface(name, methods: [getInterface])])
    try await bus.requestName(name)
    return SimulatedSupplicant(bus)
  }

  /// Tells how far the authentication server and the station are.
  func tellEAP(_ status: String, _ parameter: String) {
    bus.assumeIsolated {
      $0.emit(Self.path, Self.interface, "EAP", [.string(status), .string(parameter)])
    }
  }

  /// Tells what has changed.
  func tell(
    state: String? = nil, authentication: Int32? = nil, association: Int32? = nil,
    disconnection: Int32? = nil
  ) {
    var changes: [String: Value] = [:]
    changes["State"] = state.map { .string($0) }
    changes["AuthStatusCode"] = authentication.map { .int32($0) }
    changes["AssocStatusCode"] = association.map { .int32($0) }
    changes["DisconnectReason"] = disconnection.map { .int32($0) }
    bus.assumeIsolated { [changes] in $0.propertiesChanged(Self.path, Self.interface, changes) }
  }
}
