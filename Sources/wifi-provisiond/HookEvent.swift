internal import ProvisioningAgent
internal import ProvisioningProtocol

/// Something that hooks are told.
struct HookEvent: Equatable, Sendable {
  enum Name: String, CaseIterable {
    case opened
    case closed
    case session
    case sessionEnded = "session-ended"
    case connected
    case failed
    case forgotten
    /// The device is to make itself noticed, until the next one.
    case identify
    case identifyEnded = "identify-ended"
  }

  let name: Name
  /// What belongs to the event, as `NAME=value`; nothing secret.
  let variables: [String]

  init(_ name: Name, _ variables: [String] = []) {
    self.name = name
    self.variables = variables
  }

  init(_ event: AgentEvent) {
    switch event {
    case .opened(let state): self.init(.opened, ["PROVISIONING_WHY=\(state.words)"])
    case .closed(let state): self.init(.closed, ["PROVISIONING_WHY=\(state.words)"])
    case .sessionBegan: self.init(.session)
    case .sessionEnded: self.init(.sessionEnded)
    case .connected(let status): self.init(.connected, Self.variables(status))
    case .failed(let status): self.init(.failed, Self.variables(status))
    case .forgotten(let ssid): self.init(.forgotten, Self.variables(ssid))
    }
  }

  private static func variables(_ status: DeviceStatus) -> [String] {
    var variables = status.triedSSID.map(variables) ?? []
    if status.value.reason != .none {
      variables.append("PROVISIONING_REASON=\(status.value.reason.name)")
    }
    // After a failure it would be that of the network before.
    if status.value.state == .connected, let address = status.value.ipv4 {
      variables.append("PROVISIONING_ADDRESS=\(address)")
    }
    return variables
  }

  private static func variables(_ ssid: SSID) -> [String] {
    ["PROVISIONING_SSID=\(ssid)", "PROVISIONING_SSID_HEX=\(ssid.hex)"]
  }
}
