import ProvisioningAgent
import Synchronization

/// A list of what an agent told.
final class FakeObserver: AgentObserver {
  private let told = Mutex<(events: [AgentEvent], states: [AgentState])>(([], []))

  var events: [AgentEvent] { told.withLock { $0.events } }
  var states: [AgentState] { told.withLock { $0.states } }

  func agentDid(_ event: AgentEvent) { told.withLock { $0.events.append(event) } }
  func agentDidChange(_ state: AgentState) { told.withLock { $0.states.append(state) } }
}

/// A store for the window that keeps the last one in memory.
final class FakeWindowStore: WindowStore {
  private let kept = Mutex<ProvisioningWindow.Memory?>(nil)

  var memory: ProvisioningWindow.Memory? { kept.withLock { $0 } }

  func store(_ memory: ProvisioningWindow.Memory) { kept.withLock { $0 = memory } }
}
