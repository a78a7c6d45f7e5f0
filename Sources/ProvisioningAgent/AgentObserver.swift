package import ProvisioningProtocol

/// Looks on what an agent does; called on the agent's executor, in order, and does not block it.
package protocol AgentObserver: AnyObject, Sendable {
  /// Something happened.
  func agentDid(_ event: AgentEvent)
  /// The state is another one.
  func agentDidChange(_ state: AgentState)
}

/// Something that happened, for those who look on.
package enum AgentEvent: Equatable, Sendable {
  /// Provisioners can see and use the device.
  case opened(OpenState)
  /// They no longer can.
  case closed(OpenState)
  case sessionBegan(CentralID)
  case sessionEnded(CentralID)
  /// The device is in the network that a provisioner named.
  case connected(DeviceStatus)
  /// It is not; the status says why, and whether the device is on its way back.
  case failed(DeviceStatus)
  case forgotten(SSID)
}

/// What is to be known of a device at one moment.
package struct AgentState: Equatable, Sendable {
  package var openState: OpenState
  /// When it closes unless it is used, on the agent's clock; nil where there is no end, it is used,
  /// or it is closed.
  package var windowEnd: Duration?
  /// Who provisions it now.
  package var session: CentralID?
  /// What it tells provisioners, which is also the last attempt's result.
  package var status: DeviceStatus
  /// Nil until Bluetooth has told anything.
  package var bluetooth: PeripheralState?
  /// What keeps the device from joining a network.
  package var obstacle: Reason?
}
