internal import DBus

/// Pairing over a link, as BlueZ 5.66 and the kernel do it, with Secure Connections and without
/// numeric comparison.
extension SimulatedBlueZ {
  /// Pairs with a peer, as a program wishes.
  func pair(_ key: DeviceKey, _ call: MethodCall) -> MethodOutcome {
    if pairing[key.link] != nil { return .error(.bluezInProgress) }
    guard let link = links[key.link] else {
      return .error(.bluez("ConnectionAttemptFailed", "Page Timeout"))
    }
    // BlueZ asks the kernel for it once more, which refuses.
    guard bonds[key] == nil else { return .error(.bluezAuthenticationFailed) }
    pairing[key.link] = call
    let agent = agent(for: call.sender)
    run { bluez in
      let security = await bluez.exchange(key, initiator: agent)
      guard bluez.pairing.removeValue(forKey: key.link) != nil else { return }
      guard bluez.links[key.link]?.number == link.number else {
        return bluez.answer(call, .error(.bluezAuthenticationCanceled))
      }
      guard let security else {
        bluez.answer(call, .error(.bluezAuthenticationFailed))
        // bluetoothd takes the link down after a pairing that failed.
        return bluez.endLink(key.link)
      }
      bluez.links[key.link]?.security = security
      for end in key.link.ends {
        bluez.bonds[end] = security
        bluez.deviceChanged(end, ["Paired", "Bonded"])
      }
      bluez.answer(call, .reply([]))
    }
    return .later
  }

  func cancelPairing(_ key: DeviceKey) -> MethodOutcome {
    guard let call = pairing.removeValue(forKey: key.link) else {
      return .error(.bluezDoesNotExist)
    }
    for agent in agents { ask(agent, "Cancel") }
    answer(call, .error(.bluezAuthenticationCanceled))
    return .reply([])
  }

  /// Lets an access go on once the link is what it needs.
  ///
  /// A client's bluetoothd pairs by itself when it is refused for the link's sake, and asks again;
  /// no bond is left of that. What needs more than that gets is answered with an unlikely error.
  func demand(_ need: LinkNeed, on key: DeviceKey) async throws(ATTError) {
    guard let link = links[key.link], link.security < need else { return }
    guard link.security == .none else { throw .unlikely }
    guard adapters[key.peer]?.isPairable == true else {
      throw need.errorWithoutPairing ?? .unlikely
    }
    let security = await exchange(key, initiator: agents.first)
    guard links[key.link]?.number == link.number else { throw .unlikely }
    guard let security else {
      endLink(key.link)
      throw .insufficientEncryption
    }
    links[key.link]?.security = security
    if security < need { throw .unlikely }
  }

  /// What the two sides tell each other, and ask their users.
  ///
  /// - Returns: what the link is good for then; nil where they did not agree.
  private func exchange(_ key: DeviceKey, initiator: PairingAgent?) async -> LinkNeed? {
    // Both adapters are this machine's, and so is the default agent of the one that is asked.
    guard adapters[key.peer]?.isPairable == true, let responder = agents.first,
      let asked = devices[key.reversed]?.path, let asking = devices[key]?.path
    else { return nil }
    await pause(timing.latency * 8)
    if let initiator, initiator.capability.canAsk, responder.capability.canShow {
      let passkey = UInt32.random(in: 0...999_999)
      ask(responder, "DisplayPasskey", [.objectPath(asked), .uint32(passkey), .uint16(0)])
      let typed = await answer(of: initiator, "RequestPasskey", [.objectPath(asking)])
      return typed?.first == .uint32(passkey) ? .authentication : nil
    }
    // Never to be changed without a passkey by who has lost it (`JustWorksRepairing`).
    guard bonds[key.reversed] == nil,
      await answer(of: responder, "RequestAuthorization", [.objectPath(asked)]) != nil
    else { return nil }
    return .encryption
  }

  private func ask(_ agent: PairingAgent, _ member: String, _ arguments: [Value] = []) {
    bus?.assumeIsolated { bus in
      // A program that has gone needs no call.
      try? bus.post(agent.owner, agent.path, BlueZ.Name.agent, member, arguments)
    }
  }

  private func answer(
    of agent: PairingAgent, _ member: String, _ arguments: [Value]
  ) async -> [Value]? {
    try? await bus?.call(
      agent.owner, agent.path, BlueZ.Name.agent, member, arguments, timeout: timing.agentTimeout)
  }
}
