import ProvisioningProtocol
import Secrets
import Testing

struct ProvisionerSessionTests {
  private let ssid: SSID
  private let password: WiFiPassword
  private let information: [UInt8]

  init() throws {
    ssid = try SSID(Array("Home".utf8))
    password = try WiFiPassword(SecretBytes(Array("12345678".utf8)))
    let id = try #require(DeviceID("0123456789ab"))
    information = try DeviceInformation(deviceID: id, name: "x", profiles: [.plain]).encoded()
  }

  /// A session whose device has accepted the request at second 0, with attempt `before` + 1.
  private func following(
    after before: ProvisioningStatus, limits: ProvisionerSession.Limits = .init()
  ) -> ProvisionerSession {
    var session = ProvisionerSession(ssid: ssid, password: password, limits: limits)
    _ = session.begin(at: .zero)
    _ = session.subscribed(at: .zero)
    _ = session.read(information, at: .zero)
    _ = session.wrote(at: .zero)
    _ = session.wrote(at: .zero)
    _ = session.read(before.encoded, at: .zero)
    _ = session.wrote(at: .zero)
    return session
  }

  @Test func writesWhatItWasGiven() throws {
    var session = ProvisionerSession(ssid: ssid, password: password)
    #expect(session.begin(at: .zero) == [.subscribe])
    #expect(session.subscribed(at: .zero) == [.read(.information)])
    #expect(
      session.read(information, at: .zero) == [
        .showInformation(try DeviceInformation(decoding: information)), .writeSSID(ssid),
      ])
    #expect(session.wrote(at: .zero) == [.writePassword(password)])
    #expect(session.wrote(at: .zero) == [.read(.status)])
    #expect(session.read(ProvisioningStatus().encoded, at: .zero) == [.writeControl(.connect)])
    #expect(session.wrote(at: .zero) == [])
  }

  @Test func writesNoPasswordForAnOpenNetwork() {
    var session = ProvisionerSession(ssid: ssid, password: .none)
    _ = session.begin(at: .zero)
    _ = session.subscribed(at: .zero)
    _ = session.read(information, at: .zero)
    #expect(session.wrote(at: .zero) == [.read(.status)])
  }

  @Test func keepsNoPasswordOnceItIsWritten() throws {
    var secret: SecretBytes? = SecretBytes(Array("12345678".utf8))
    weak let stored = secret
    var session = ProvisionerSession(ssid: ssid, password: try WiFiPassword(try #require(secret)))
    secret = nil
    _ = session.begin(at: .zero)
    _ = session.subscribed(at: .zero)
    _ = session.read(information, at: .zero)
    _ = session.wrote(at: .zero)
    #expect(stored != nil)
    _ = session.wrote(at: .zero)
    #expect(stored == nil)
  }

  @Test func takesNoResultOfAnEarlierAttempt() {
    let earlier = ProvisioningStatus(state: .failed, reason: .wrongPassword, attempt: 255)
    var session = following(after: earlier)
    #expect(session.notified(earlier.encoded, at: .zero) == [])
    let own = ProvisioningStatus(state: .connected, attempt: 1)
    #expect(
      session.notified(own.encoded, at: .zero) == [.showStatus(own), .finish(.connected(own))])
  }

  @Test func showsEachStatusOnce() {
    var session = following(after: ProvisioningStatus())
    let step = ProvisioningStatus(state: .associating, attempt: 1)
    #expect(session.notified(step.encoded, at: .zero) == [.showStatus(step)])
    #expect(session.notified(step.encoded, at: .zero) == [])
  }

  @Test func tellsARollBackAsAFailure() {
    var session = following(after: ProvisioningStatus())
    let status = ProvisioningStatus(state: .rolledBack, reason: .noAddress, attempt: 1)
    #expect(session.notified(status.encoded, at: .zero).last == .finish(.failed(status)))
  }

  @Test func asksWhenNothingIsHeard() {
    var session = following(after: ProvisioningStatus())
    #expect(session.deadline == .seconds(5))
    let step = ProvisioningStatus(state: .associating, attempt: 1)
    _ = session.notified(step.encoded, at: .seconds(3))
    #expect(session.deadline == .seconds(8))
    #expect(session.advance(to: .seconds(8)) == [.read(.status)])
    #expect(session.deadline == .seconds(23))
    #expect(session.read(step.encoded, at: .seconds(9)) == [])
    #expect(session.deadline == .seconds(14))
    let result = ProvisioningStatus(state: .failed, reason: .timedOut, attempt: 1)
    _ = session.advance(to: .seconds(14))
    #expect(
      session.read(result.encoded, at: .seconds(14)) == [
        .showStatus(result), .finish(.failed(result)),
      ])
    #expect(session.deadline == nil)
  }

  @Test func givesUpAfterItsLimit() {
    let limits = ProvisionerSession.Limits(attempt: .seconds(4))
    var session = following(after: ProvisioningStatus(), limits: limits)
    #expect(session.deadline == .seconds(4))
    #expect(session.advance(to: .seconds(4)) == [.writeControl(.cancel)])
    #expect(session.deadline == .seconds(6), "the device has two seconds to answer")
    #expect(session.advance(to: .seconds(6)) == [.finish(.timedOut)])
  }

  @Test func waitsForTheWayBackButNotForEver() {
    let back = ProvisioningStatus(
      state: .failed, reason: .wrongPassword, attempt: 1, isReturning: true)
    let end = ProvisioningStatus(state: .rolledBack, reason: .wrongPassword, attempt: 1)
    var session = following(after: ProvisioningStatus())
    #expect(session.notified(back.encoded, at: .seconds(10)) == [.showStatus(back)])
    // What the failure has overtaken is no news.
    let step = ProvisioningStatus(state: .authenticating, attempt: 1)
    #expect(session.notified(step.encoded, at: .seconds(10)) == [])
    var other = session
    #expect(
      session.notified(end.encoded, at: .seconds(12)) == [.showStatus(end), .finish(.failed(end))])
    _ = other.notified(back.encoded, at: .seconds(54))
    #expect(other.deadline == .seconds(55))
    #expect(other.advance(to: .seconds(55)) == [.finish(.failed(back))])
  }

  @Test func stopsARequestOnItsWayAfterItsAnswer() {
    var session = ProvisionerSession(ssid: ssid, password: .none)
    _ = session.begin(at: .zero)
    _ = session.subscribed(at: .zero)
    _ = session.read(information, at: .zero)
    _ = session.wrote(at: .zero)
    _ = session.read(ProvisioningStatus().encoded, at: .zero)
    #expect(session.stop(.cancelled, at: .zero) == [])
    #expect(session.wrote(at: .zero) == [.writeControl(.cancel)])
    #expect(session.wrote(at: .zero) == [.finish(.cancelled)])
  }

  @Test func takesAnyEventsInAnyOrder() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      var session = ProvisionerSession(ssid: ssid, password: password)
      var now = Duration.zero
      var isFinished = false
      for _ in 0..<40 {
        now += .seconds(Int.random(in: 0...10, using: &generator))
        var value = ProvisioningStatus(
          state: ProvisioningState(rawValue: .random(in: 0...10, using: &generator)),
          attempt: .random(in: 0...2, using: &generator)
        ).encoded
        if Int.random(in: 0..<20, using: &generator) == 0 { value.removeLast() }
        let actions: [ProvisionerSession.Action] =
          switch Int.random(in: 0..<20, using: &generator) {
          case 0..<4: session.begin(at: now) + session.subscribed(at: now)
          case 4..<7: session.read(information, at: now)
          case 7..<10: session.wrote(at: now)
          case 10..<13: session.read(value, at: now)
          case 13..<17: session.notified(value, at: now)
          case 17: session.failed(.application(.busy), at: now)
          case 18: session.stop(.cancelled, at: now)
          default: session.advance(to: now)
          }
        #expect(!isFinished || actions.isEmpty)
        if case .finish = actions.last { isFinished = true }
      }
    }
  }
}
