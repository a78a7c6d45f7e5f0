internal import DBus

/// Programs that answer questions while devices pair; the first in the row is the default one.
extension SimulatedBlueZ {
  var agentManagerInterface: Interface {
    Interface(
      BlueZ.Name.agentManager,
      methods: [
        method("RegisterAgent", in: "os") { $0.registerAgent($1) },
        method("UnregisterAgent", in: "o") { bluez, call in
          guard bluez.agent(of: call) != nil else { return .error(.bluezDoesNotExist) }
          bluez.removeAgent(of: call.sender)
          return .reply([])
        },
        method("RequestDefaultAgent", in: "o") { bluez, call in
          guard let agent = bluez.agent(of: call) else { return .error(.bluezDoesNotExist) }
          bluez.agents.removeAll { $0 == agent }
          bluez.agents.insert(agent, at: 0)
          return .reply([])
        },
      ])
  }

  /// The agent of a program, or the default one.
  func agent(for client: String) -> PairingAgent? {
    agents.first { $0.owner == client } ?? agents.first
  }

  private func agent(of call: MethodCall) -> PairingAgent? {
    agents.first { $0.owner == call.sender && $0.path == call.arguments.first?.asObjectPath }
  }

  private func registerAgent(_ call: MethodCall) -> MethodOutcome {
    if agents.contains(where: { $0.owner == call.sender }) { return .error(.bluezAlreadyExists) }
    guard let path = call.arguments.first?.asObjectPath,
      let capability = call.arguments.last?.asString.flatMap({ PairingAgent.Capability($0) })
    else { return .error(.bluezInvalidArguments) }
    if refuses(.agent) { return .error(.bluezInvalidArguments) }
    agents.append(PairingAgent(owner: call.sender, path: path, capability: capability))
    pairableDidChange()
    return .reply([])
  }

  func removeAgent(of client: String) {
    agents.removeAll { $0.owner == client }
    pairableDidChange()
  }

  /// With an agent BlueZ makes its adapters pairable, and without one no longer.
  private func pairableDidChange() {
    for (index, adapter) in adapters where adapter.isPairable == agents.isEmpty {
      adapters[index]?.isPairable = !agents.isEmpty
      adapterChanged(index, ["Pairable"])
    }
  }
}
