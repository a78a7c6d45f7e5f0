internal import DBus
internal import MainLoop

/// What NetworkManager and wpa_supplicant tell during an attempt, in the order of the bus.
///
/// Not heard through libnm: it keeps only the last of two states that come together, and the one
/// before "failed" may be the one with the reason.
struct AttemptSignals {
  /// Whether wpa_supplicant's reports are among them.
  let includeSupplicant: Bool
  private let subscriptions: [Subscription]

  /// Begins; ends when the value is dropped.
  ///
  /// - Parameters:
  ///   - device: the device's path.
  ///   - interface: the device's name, such as `wlan0`.
  static func begin(
    on bus: Connection, device: ObjectPath, interface: String, events: JoinEvents
  ) async throws(BusError) -> AttemptSignals {
    // At the same time as the others: each takes several round trips.
    let supplicant = Task(executorPreference: bus.loop) {
      await SupplicantWatch.begin(on: bus, interface: interface) {
        events.send(.trial(.supplicant($0)))
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
        events.send(.trial(.device(state: state, reason: reason)))
      },
      try await bus.subscribe(
        MatchRule(
          sender: NetworkManagerBus.name, interface: NetworkManagerBus.active,
          member: NetworkManagerBus.stateChanged)
      ) { message in
        guard let path = message.path, case .uint32(let state)? = message.arguments.first else {
          return
        }
        events.send(.activeConnection(path: path.string, state: state))
      },
    ]
    let reports = await supplicant.value
    if let reports { subscriptions.append(reports) }
    return AttemptSignals(includeSupplicant: reports != nil, subscriptions: subscriptions)
  }
}
