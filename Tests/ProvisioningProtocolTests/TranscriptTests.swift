import ProvisioningProtocol
import Secrets
import Testing

/// Both ends, each against the specification's conversations.
struct TranscriptTests {
  private struct Step: Decodable {
    var subscribe: String?
    var read: String?
    var write: String?
    var other: String?
    var value: Hex?
    var answer: String?
    var arrives: String?
    var notify: Hex?
    var lost: Bool?
    var wifi: String?
    var reason: String?
    var ipv4: String?
    var rssi: Int8?
    var connectivity: String?
    var saved: Bool?
    var disconnect: Bool?
  }

  private struct Session: Decodable {
    var ssid: Hex
    var password: Hex
    var outcome: String
    var reason: String
    var steps: [Step]
  }

  private struct Transcript: Decodable {
    var name: String
    var security: String
    var sessions: [Session]
  }

  private struct Transcripts: Decodable { var transcripts: [Transcript] }

  private func characteristic(_ uuid: String) throws -> ProvisioningCharacteristic {
    try #require(UInt16(uuid, radix: 16).flatMap(ProvisioningCharacteristic.init))
  }

  private func error(_ answer: String?) throws -> ApplicationError? {
    let number = try #require(answer.flatMap { UInt8($0, radix: 16) })
    if number == 0 { return nil }
    let error: ApplicationError = try #require(ApplicationError(rawValue: number))
    return error
  }

  @Test func theDeviceKeepsToThem() throws {
    let file: Transcripts = try Vectors.load("plain-transcripts.json")
    #expect(file.transcripts.count == 11)
    for transcript in file.transcripts {
      var device = DeviceSession(mode: try #require(SecurityMode(rawValue: transcript.security)))
      for (index, session) in transcript.sessions.enumerated() {
        let central = CentralID(rawValue: "provisioner \(index)")
        var news: [ProvisioningStatus] = []
        func take(_ actions: [DeviceSession.Action]) {
          news += actions.compactMap { if case .notify(let status) = $0 { status } else { nil } }
        }
        for step in session.steps {
          if let uuid = step.write ?? step.other {
            let response = device.write(
              try #require(step.value).bytes, to: try characteristic(uuid),
              from: step.other == nil ? central : CentralID(rawValue: "other"), at: .zero)
            #expect(response.error == (try error(step.answer)), "\(transcript.name)")
            take(response.actions)
            if step.other != nil { news = [] }
          } else if step.read == "ff04" {
            let status = device.readStatus(by: central, at: .zero)
            #expect(Hex(status.encoded) == step.value, "\(transcript.name)")
          } else if let value = step.notify {
            #expect(!news.isEmpty, "\(transcript.name)")
            if !news.isEmpty { #expect(Hex(news.removeFirst().encoded) == value) }
          } else if let wifi = step.wifi {
            let link = WiFiLink(
              ipv4: step.ipv4.flatMap(IPv4Address.init), rssi: step.rssi,
              connectivity: [.unknown, .none, .portal, .limited, .full].first {
                $0.name == step.connectivity
              } ?? .unknown)
            let attempt = device.status.attempt
            switch wifi {
            case "connected":
              let result = AttemptResult.connected(link, saved: step.saved == true)
              take(device.attemptEnded(result, of: attempt, at: .zero))
            case "failing":
              let reason = try #require(Reason.allCases.first { $0.name == step.reason })
              let evidence = AttemptEvidence(summary: "")
              take(device.attemptFailing(reason, of: attempt, evidence: evidence, at: .zero))
            case "back":
              let reason = try #require(Reason.allCases.first { $0.name == step.reason })
              take(device.attemptEnded(.rolledBack(reason, link), of: attempt, at: .zero))
            case "failed":
              let reason = try #require(Reason.allCases.first { $0.name == step.reason })
              take(device.attemptEnded(.failed(reason), of: attempt, at: .zero))
            default:
              let step = try #require(AttemptStep.allCases.first { $0.state.name == wifi })
              take(device.attemptReached(step, of: attempt, link: link))
            }
          }
        }
        #expect(news.isEmpty, "\(transcript.name)")
        _ = device.disconnected(central)
      }
    }
  }

  @Test func theProvisionerKeepsToThem() throws {
    let file: Transcripts = try Vectors.load("plain-transcripts.json")
    for transcript in file.transcripts {
      for session in transcript.sessions {
        var provisioner = ProvisionerSession(
          ssid: try SSID(session.ssid.bytes),
          password: try WiFiPassword(SecretBytes(session.password.bytes)))
        var wanted = provisioner.begin(at: .zero)
        var last: Reason = .none
        func next() throws -> ProvisionerSession.Action {
          if wanted.isEmpty, let deadline = provisioner.deadline {
            wanted += provisioner.advance(to: deadline)
          }
          try #require(!wanted.isEmpty, "\(transcript.name)")
          return wanted.removeFirst()
        }
        func take(_ actions: [ProvisionerSession.Action]) {
          for action in actions {
            switch action {
            case .showStatus(let status): last = status.reason
            case .showInformation: break
            default: wanted.append(action)
            }
          }
        }
        for step in session.steps {
          if step.subscribe != nil {
            #expect(try next() == .subscribe)
            take(provisioner.subscribed(at: .zero))
          } else if let uuid = step.read {
            #expect(try next() == .read(try characteristic(uuid)), "\(transcript.name)")
            take(provisioner.read(try #require(step.value).bytes, at: .zero))
          } else if let uuid = step.write {
            let value = try #require(step.value).bytes
            let expected: ProvisionerSession.Action =
              switch try characteristic(uuid) {
              case .ssid: .writeSSID(try SSID(value))
              case .password: .writePassword(try WiFiPassword(SecretBytes(value)))
              default: .writeControl(try #require(ControlOpcode(rawValue: value[0])))
              }
            #expect(try next() == expected, "\(transcript.name)")
            if let error = try error(step.arrives ?? step.answer) {
              take(provisioner.failed(.application(error), at: .zero))
            } else {
              take(provisioner.wrote(at: .zero))
            }
          } else if let value = step.notify, step.lost == nil {
            take(provisioner.notified(value.bytes, at: .zero))
          } else if step.disconnect != nil {
            wanted = []
            take(provisioner.disconnected())
          }
        }
        guard case .finish(let outcome) = try next() else {
          Issue.record("\(transcript.name) does not end")
          continue
        }
        let word: String
        switch outcome {
        case .connected: word = "connected"
        case .failed: word = "failed"
        case .linkLost: word = "link-lost"
        case .refused(let reason): (word, last) = ("refused", reason)
        default: word = "\(outcome)"
        }
        #expect(word == session.outcome && last.name == session.reason, "\(transcript.name)")
      }
    }
  }
}
