import ProvisioningProtocol
import Testing

/// The whole transition table of the specification: each event in each situation.
struct DeviceSessionTableTests {
  private struct Event: Decodable {
    var central: String?
    var write: String?
    var value: Hex?
    var read: String?
    var disconnect: Bool?
    var attempt: UInt8?
    var reached: String?
    var result: String?
    var failing: String?
    var back: String?
    var link: Bool?
    var seconds: Int?
  }

  private struct Table: Decodable {
    var events: [String: Event]
    var situations: [String: [String]]
    var transitions: [String: [String: String]]
  }

  /// Runs an event, and says what it did in the words of the specification.
  private func run(_ event: Event, on session: inout DeviceSession) throws -> String {
    // All happens at once, but for time itself.
    let now = Duration.seconds(10)
    var words: [String] = []
    var actions: [DeviceSession.Action] = []
    if let attempt = event.attempt {
      if let name = event.reached {
        let step = try #require(AttemptStep.allCases.first { $0.state.name == name })
        actions = session.attemptReached(step, of: attempt)
      } else if let name = event.failing {
        let reason = try #require(Reason.allCases.first { $0.name == name })
        actions = session.attemptFailing(
          reason, of: attempt, evidence: AttemptEvidence(summary: ""), at: now)
      } else if let name = event.back {
        let reason = try #require(Reason.allCases.first { $0.name == name })
        actions = session.attemptEnded(.rolledBack(reason, WiFiLink()), of: attempt, at: now)
      } else {
        let reason = try #require(Reason.allCases.first { $0.name == event.result })
        actions = session.attemptEnded(
          reason == .none ? .connected(WiFiLink(), saved: true) : .failed(reason), of: attempt,
          at: now)
      }
    } else if let link = event.link {
      actions = session.linkChanged(
        to: link ? WiFiLink() : nil, at: now + .seconds(event.seconds ?? 10))
    } else if let seconds = event.seconds {
      actions = session.advance(to: now + .seconds(seconds))
    } else {
      let central = CentralID(rawValue: try #require(event.central))
      if let uuid = event.write.flatMap({ UInt16($0, radix: 16) }) {
        let characteristic = try #require(ProvisioningCharacteristic(rawValue: uuid))
        let value = try #require(event.value).bytes
        let response = session.write(value, to: characteristic, from: central, at: now)
        words.append(response.error.map { String($0.rawValue, radix: 16) } ?? "ok")
        actions = response.actions
      } else if event.read != nil {
        return describe(session.readStatus(by: central, at: now))
      } else {
        actions = session.disconnected(central)
      }
    }
    words.append(describe(session.status))
    if let owner = session.owner { words.append(owner.rawValue) }
    for action in actions {
      switch action {
      case .sessionBegan: words.append("+")
      case .sessionEnded(_, .disconnected): words.append("-")
      case .sessionEnded(_, .silent): words.append("-silent")
      case .sessionEnded(_, .aborted): words.append("-aborted")
      case .connect(let request): words.append("connect \(request.attempt)")
      case .stop(let attempt): words.append("stop \(attempt)")
      case .identify: words.append("identify")
      case .forget: words.append("forget")
      case .send, .storeWrongGuesses, .scan, .list, .forgetNetwork, .sessionSecured:
        words.append("secure")
      case .notify(let status): #expect(status == session.status)
      case .advertise(let state): #expect(state == session.advertisedState)
      }
    }
    return words.joined(separator: " ")
  }

  private func describe(_ status: ProvisioningStatus) -> String {
    let words =
      status.reason == .none ? status.state.name : "\(status.state.name)/\(status.reason.name)"
    return status.isReturning ? "\(words) returning" : words
  }

  @Test func doesWhatTheSpecificationSays() throws {
    let table: Table = try Vectors.load("device-transitions.json")
    #expect(Set(table.events.keys) == Set(table.transitions.keys))
    #expect(table.events.count == 35 && table.situations.count == 12)
    for (name, cells) in table.transitions {
      let event = try #require(table.events[name])
      #expect(Set(cells.keys) == Set(table.situations.keys), "\(name)")
      for (situation, expected) in cells {
        var session = DeviceSession(mode: .open, features: [.identify, .forget])
        for step in try #require(table.situations[situation]) {
          _ = try run(try #require(table.events[step]), on: &session)
        }
        let (status, state) = (session.status, session.advertisedState)
        let outcome = try run(event, on: &session)
        #expect(outcome == expected, "\(name), \(situation)")
        if event.read != nil {
          #expect(session.status == status && session.advertisedState == state)
        }
      }
    }
  }
}
