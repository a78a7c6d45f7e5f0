import ProvisioningProtocol
import Secrets
import Testing

/// The whole transition table of the specification: each event in each situation.
struct ProvisionerSessionTableTests {
  private struct Event: Decodable {
    var done: String?
    var value: Hex?
    var error: String?
    var notify: Hex?
    var disconnect: Bool?
    var stop: String?
    var deadline: Bool?
  }

  private struct Table: Decodable {
    var events: [String: Event]
    var situations: [String: [String]]
    var transitions: [String: [String: String]]
  }

  private func run(
    _ event: Event, on session: inout ProvisionerSession, at now: inout Duration
  ) throws -> String {
    let actions: [ProvisionerSession.Action]
    if let value = event.notify {
      actions = session.notified(value.bytes, at: now)
    } else if let error = event.error {
      let application = UInt8(error, radix: 16).flatMap(ApplicationError.init)
      actions = session.failed(
        application.map { .application($0) } ?? (error == "not paired" ? .notPaired : .other),
        at: now)
    } else if event.disconnect != nil {
      actions = session.disconnected()
    } else if let cause = event.stop {
      actions = session.stop(cause == "timed out" ? .timedOut : .cancelled, at: now)
    } else if event.deadline != nil {
      now = session.deadline ?? now
      actions = session.advance(to: now)
    } else {
      switch event.done {
      case "connect": actions = session.begin(at: now)
      case "subscribe": actions = session.subscribed(at: now)
      case "write": actions = session.wrote(at: now)
      case "pair": actions = session.paired(at: now)
      default: actions = session.read(try #require(event.value).bytes, at: now)
      }
    }
    for (index, action) in actions.enumerated() {
      if case .finish = action { #expect(index == actions.count - 1 && session.deadline == nil) }
    }
    return actions.map(describe).joined(separator: ", ")
  }

  private func describe(_ action: ProvisionerSession.Action) -> String {
    switch action {
    case .subscribe: "subscribe"
    case .read(let characteristic): "read \(String(characteristic.rawValue, radix: 16))"
    case .pair: "pair"
    case .writeSSID: "write ff01"
    case .writePassword: "write ff02"
    case .writeControl(let opcode): "write ff03 0\(opcode.rawValue)"
    case .showInformation: "show information"
    case .showStatus(let status):
      "show \(status.state.name)\(status.isReturning ? " returning" : "")"
    case .finish(let outcome): "finish \(describe(outcome))"
    }
  }

  private func describe(_ outcome: ProvisionerSession.Outcome) -> String {
    switch outcome {
    case .connected: "connected"
    case .failed(let status): "failed \(status.reason.name)"
    case .refused(let reason): "refused \(reason.name)"
    case .pairingRequired: "pairing required"
    case .notUnderstood: "not understood"
    case .linkLost: "link lost"
    case .timedOut: "timed out"
    case .cancelled: "cancelled"
    }
  }

  @Test func doesWhatTheSpecificationSays() throws {
    let table: Table = try Vectors.load("provisioner-transitions.json")
    #expect(Set(table.events.keys) == Set(table.transitions.keys))
    #expect(table.events.count == 24 && table.situations.count == 15)
    for (name, cells) in table.transitions.sorted(by: { $0.key < $1.key }) {
      let event = try #require(table.events[name])
      for situation in table.situations.keys.sorted() {
        var session = ProvisionerSession(
          ssid: try SSID(Array("Home".utf8)),
          password: try WiFiPassword(SecretBytes(Array("12345678".utf8))))
        var now = Duration.zero
        for step in try #require(table.situations[situation]) {
          _ = try run(try #require(table.events[step]), on: &session, at: &now)
        }
        let outcome = try run(event, on: &session, at: &now)
        print("CELL\t\(name)\t\(situation)\t\(outcome)")
        #expect(outcome == cells[situation], "\(name), \(situation)")
      }
    }
  }
}
