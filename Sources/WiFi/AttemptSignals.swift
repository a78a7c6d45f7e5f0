internal import DBus
internal import MainLoop
internal import Synchronization

/// What NetworkManager and wpa_supplicant tell of one device, in the order of the bus.
///
/// Not heard through libnm: it keeps only the last of two states that come together, and the one
/// before "failed" may be the one with the reason.
struct AttemptSignals {
  /// The device's path.
  let device: ObjectPath
  /// Whether wpa_supplicant's reports are among them.
  let includeSupplicant: Bool
  private let outlet: Outlet
  private let subscriptions: [Subscription]

  /// Begins; ends when the value is dropped.
  ///
  /// - Parameters:
  ///   - device: the device's path.
  ///   - interface: the device's name, such as `wlan0`.
  static func begin(
    on bus: Connection, device: ObjectPath, interface: String
  ) async throws(BusError) -> AttemptSignals {
    let outlet = Outlet()
    // At the same time as the others: each takes several round trips.
    let supplicant = Task(executorPreference: bus.loop) {
      await SupplicantWatch.begin(on: bus, interface: interface) {
        outlet.send(.trial(.supplicant($0)))
      }
    }
    var subscriptions = [
      try await bus.subscribe(
        MatchRule(
          sender: NetworkManagerBus.name, path: device, interface: NetworkManagerBus.device,
          member: NetworkManagerBus.stateChanged)
      ) { message in
        guard message.arguments.count == 3, case .uint32(let state) = message.arguments[0],
          case .uint32(let reason) = message.arguments[2]
        else { return }
        outlet.send(.trial(.device(state: state, reason: reason)))
      },
      try await bus.subscribe(
        MatchRule(
          sender: NetworkManagerBus.name, interface: NetworkManagerBus.active,
          member: NetworkManagerBus.stateChanged)
      ) { message in
        guard let path = message.path, case .uint32(let state)? = message.arguments.first else {
          return
        }
        outlet.send(.activeConnection(path: path.string, state: state))
      },
    ]
    let reports = await supplicant.value
    subscriptions += reports
    return AttemptSignals(
      device: device, includeSupplicant: !reports.isEmpty, outlet: outlet,
      subscriptions: subscriptions)
  }

  /// Sends to these events from now on, and to none for nil.
  func follow(_ events: JoinEvents?) { outlet.events = events }

  /// Where signals go to; safe from any thread.
  private final class Outlet: Sendable {
    private let target = Mutex<JoinEvents?>(nil)

    var events: JoinEvents? {
      get { target.withLock { $0 } }
      set { target.withLock { $0 = newValue } }
    }

    func send(_ event: JoinEvents.Event) { events?.send(event) }
  }
}
