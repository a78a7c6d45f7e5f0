internal import DBus

/// Answering bluetoothd's questions while centrals pair.
extension PeripheralManager {
  /// Exports the agent, for good: what it says to bluetoothd never changes.
  func exportAgent() {
    guard let pairing, let path = ExportNumber.path("agent") else { return }
    let agent = agent(pairing, at: path)
    connection.assumeIsolated { $0.export(path, [agent]) }
    exported[path] = [path]
    agentPath = path
    agentRegistrar = registrar(.agent(pairing.capability))
  }

  private func agent(_ method: PairingMethod, at path: ObjectPath) -> Interface {
    Interface(
      BlueZ.Interface.agent,
      methods: [
        question("RequestAuthorization", "o") { manager, central, _ in
          guard method == .justWorks else { return false }
          manager.handler?(.pairing(central))
          return true
        },
        question("DisplayPasskey", "ouq") { $0.show(to: $1, $2) },
        // Other ways of pairing, and other services of a device that is paired already.
        Method("RequestConfirmation", in: "ou") { _ in Self.rejected },
        Method("RequestPasskey", in: "o", out: "u") { _ in Self.rejected },
        Method("RequestPinCode", in: "o", out: "s") { _ in Self.rejected },
        Method("DisplayPinCode", in: "os") { _ in Self.rejected },
        Method("AuthorizeService", in: "os") { _ in Self.rejected },
        Method("Cancel") { _ in .reply([]) },
        Method("Release") { [weak self] call in
          self?.assumeIsolated { manager in
            guard call.sender == manager.condition.adapter?.owner else { return }
            manager.agentRegistrar?.assumeIsolated { $0.release(path) }
          }
          return .reply([])
        },
      ])
  }

  /// A method that is answered with yes or no.
  private func question(
    _ name: String, _ input: StaticString,
    _ body: @escaping @Sendable (isolated PeripheralManager, Central, MethodCall) -> Bool
  ) -> Method {
    Method(name, in: input) { [weak self] call in
      self?.assumeIsolated { manager in
        guard let central = manager.asking(call), body(manager, central, call) else {
          return Self.rejected
        }
        return .reply([])
      } ?? Self.rejected
    }
  }

  private static let rejected = MethodOutcome.error(
    BusError(name: BlueZ.ErrorName.rejected, message: "not at this device"))

  /// The central that bluetoothd asks about; nil for those of other adapters, and other callers.
  private func asking(_ call: MethodCall) -> Central? {
    guard let adapter = condition.adapter, call.sender == adapter.owner,
      let device = call.arguments.first?.asObjectPath, device != adapter.path,
      device.isEqualToOrBelow(adapter.path)
    else { return nil }
    return Central(identifier: device.string)
  }

  private func show(to central: Central, _ call: MethodCall) -> Bool {
    guard call.arguments.count == 3, let number = call.arguments[1].asInteger,
      let passkey = UInt32(exactly: number).flatMap({ Passkey(rawValue: $0) })
    else { return false }
    // Told again with each digit that is typed.
    if call.arguments[2].asInteger == 0 { handler?(.passkey(passkey, for: central)) }
    return true
  }
}

extension PairingMethod {
  /// What the machine can show and ask for, as bluetoothd calls it.
  fileprivate var capability: String {
    switch self {
    case .justWorks: "NoInputNoOutput"
    case .passkey: "DisplayOnly"
    }
  }
}
