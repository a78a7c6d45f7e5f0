import ProvisioningProtocol
import Testing

/// A provisioner with the protocol's own session, connected to an agent in a harness.
final class SecureCentral {
  private let board: Harness
  private let name: String
  private var session: SecureSession
  /// How many of the agent's calls have been looked at.
  private var seen: Int
  private(set) var risks: [Risk] = []
  private(set) var outcome: SecureSession.Outcome?
  private(set) var shown: [DeviceStatus] = []

  init(_ job: SecureSession.Job, code: SetupCode, on board: Harness, as name: String = "A") throws {
    let value = board.read(.information, by: name)
    let information = try DeviceInformation(decoding: value)
    self.board = board
    self.name = name
    seen = board.peripheral.calls.count
    session = try SecureSession(
      job, deviceID: information.deviceID, information: value,
      credentials: code.credentials(
        for: information.deviceID, stretching: try #require(information.stretching)),
      mtu: 23)
    perform(session.begin(at: board.clock.now))
    listen()
  }

  /// Takes what the agent has sent meanwhile.
  func listen() {
    while seen < board.peripheral.calls.count {
      let call = board.peripheral.calls[seen]
      seen += 1
      if case .send(let segment) = call {
        perform(session.notified(segment, at: board.clock.now))
      }
    }
  }

  private func perform(_ actions: [SecureSession.Action]) {
    for action in actions {
      switch action {
      case .subscribe: perform(session.subscribed(at: board.clock.now))
      case .write(let segment):
        if let error = board.write(segment, to: .session, from: name) {
          perform(session.failed(.application(error), at: board.clock.now))
        } else {
          perform(session.wrote(at: board.clock.now))
        }
        listen()
      case .showStatus(let status): shown.append(status)
      case .finish(let outcome): self.outcome = outcome
      case .showRisks(let risks): self.risks = risks
      case .opened: break
      }
    }
  }
}
