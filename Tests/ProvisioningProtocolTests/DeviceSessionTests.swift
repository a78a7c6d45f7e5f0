import ProvisioningProtocol
import Secrets
import Testing

struct DeviceSessionTests {
  private let a = CentralID(rawValue: "A")
  private let b = CentralID(rawValue: "B")
  private let home = Array("Home".utf8)
  private let password = Array("12345678".utf8)

  /// A session in which A has asked to connect.
  private func attempting(
    mode: SecurityMode = .open, at now: Duration = .zero
  ) -> DeviceSession {
    var session = DeviceSession(mode: mode)
    _ = attempt(on: &session, at: now)
    return session
  }

  /// Has A ask to connect, and gives what that gave.
  private func attempt(
    on session: inout DeviceSession, at now: Duration = .zero
  ) -> [DeviceSession.Action] {
    _ = session.write(home, to: .ssid, from: a, at: now)
    _ = session.write(password, to: .password, from: a, at: now)
    return session.write([1], to: .control, from: a, at: now).actions
  }

  private func request(in actions: [DeviceSession.Action]) -> ConnectRequest? {
    for case .connect(let request) in actions { return request }
    return nil
  }

  @Test func tellsWhatHappensInOrder() throws {
    var session = DeviceSession(mode: .open)
    let received = ProvisioningStatus(state: .credentialsReceived)
    #expect(
      session.write(home, to: .ssid, from: a, at: .zero).actions == [
        .sessionBegan(a), .notify(received), .advertise(.sessionInProgress),
      ])
    #expect(session.write(password, to: .password, from: a, at: .zero).actions == [])
    let ssid = try SSID(home)
    let secret = try WiFiPassword(SecretBytes(password))
    #expect(
      session.write([1], to: .control, from: a, at: .zero).actions == [
        .notify(ProvisioningStatus(state: .preparing, attempt: 1)), .advertise(.connecting),
        .connect(
          ConnectRequest(
            attempt: 1, network: NetworkDescription(ssid: ssid, password: secret))),
      ])
    let progress = WiFiLink(rssi: -50)
    #expect(
      session.attemptReached(.associating, of: 1, link: progress) == [
        .notify(ProvisioningStatus(state: .associating, attempt: 1, rssi: -50))
      ])
    let link = WiFiLink(ipv4: IPv4Address("10.0.0.7"), rssi: -48, connectivity: .portal)
    let connected = ProvisioningStatus(
      state: .connected, connectivity: .portal, attempt: 1, ipv4: IPv4Address("10.0.0.7"),
      rssi: -48)
    #expect(
      session.attemptEnded(.connected(link, saved: true), of: 1, at: .zero) == [
        .notify(connected), .advertise(.sessionInProgress),
      ])
    #expect(
      session.disconnected(a) == [.sessionEnded(a, .disconnected), .advertise(.connected)])
    #expect(session.status == connected, "the result stays to be read")
  }

  @Test func showsEachStep() {
    for step in AttemptStep.allCases {
      var session = attempting()
      _ = session.attemptReached(step, of: 1)
      #expect(session.status.state == step.state)
      #expect(session.advertisedState == .connecting)
    }
  }

  @Test func connectsToAnOpenNetworkWithoutAPassword() {
    var session = DeviceSession(mode: .open)
    _ = session.write(home, to: .ssid, from: a, at: .zero)
    let actions = session.write([1], to: .control, from: a, at: .zero).actions
    #expect(request(in: actions)?.network.password.isEmpty == true)
  }

  @Test func dropsThePasswordWithAnotherNetwork() {
    var session = DeviceSession(mode: .open)
    _ = session.write(home, to: .ssid, from: a, at: .zero)
    _ = session.write(password, to: .password, from: a, at: .zero)
    _ = session.write(Array("Other".utf8), to: .ssid, from: a, at: .zero)
    let actions = session.write([1], to: .control, from: a, at: .zero).actions
    #expect(request(in: actions)?.network.ssid.bytes == Array("Other".utf8))
    #expect(request(in: actions)?.network.password.isEmpty == true)
  }

  @Test func keepsNoPasswordOnceTheAttemptHasIt() {
    var session = DeviceSession(mode: .open)
    var actions = attempt(on: &session)
    weak let secret = request(in: actions)?.network.password.bytes
    #expect(secret != nil)
    actions = []
    #expect(secret == nil)
    _ = session.advance(to: .zero)
  }

  @Test(arguments: [UInt8(2), 1]) func usesCredentialsOnce(_ opcode: UInt8) {
    var session = DeviceSession(mode: .open)
    _ = session.write(home, to: .ssid, from: a, at: .zero)
    _ = session.write(password, to: .password, from: a, at: .zero)
    #expect(session.write([opcode], to: .control, from: a, at: .zero).error == nil)
    _ = session.attemptEnded(.failed(.wrongPassword), of: 1, at: .zero)
    #expect(session.write([1], to: .control, from: a, at: .zero).error == .notNow)
    #expect(session.write(password, to: .password, from: a, at: .zero).error == .notNow)
  }

  @Test func worksAgainAfterAFailure() {
    var session = attempting()
    _ = session.attemptEnded(.failed(.wrongPassword), of: 1, at: .zero)
    #expect(session.write(home, to: .ssid, from: a, at: .zero).error == nil)
    #expect(session.status == ProvisioningStatus(state: .credentialsReceived, attempt: 1))
    #expect(session.write(password, to: .password, from: a, at: .zero).error == nil)
    let actions = session.write([1], to: .control, from: a, at: .zero).actions
    #expect(request(in: actions)?.attempt == 2)
    _ = session.attemptEnded(.connected(WiFiLink(), saved: true), of: 2, at: .zero)
    #expect(session.status.state == .connected && session.status.reason == .none)
  }

  @Test func repeatsARefusalUntilAWriteIsAccepted() {
    var session = DeviceSession(mode: .open)
    let refused = session.write([], to: .ssid, from: a, at: .zero)
    #expect(refused.error == .ssidLength)
    #expect(refused.actions.contains(.notify(ProvisioningStatus(reason: .ssidLength))))
    #expect(session.readStatus(by: a, at: .zero).reason == .ssidLength)
    _ = session.write(home, to: .ssid, from: a, at: .zero)
    #expect(session.readStatus(by: a, at: .zero).reason == .none)
  }

  @Test func forgetsARefusalWithItsCentral() {
    var session = DeviceSession(mode: .open)
    _ = session.write([], to: .ssid, from: a, at: .zero)
    _ = session.disconnected(a)
    #expect(session.status == ProvisioningStatus())
  }

  @Test func tellsOthersThatItIsBusyAndLeavesTheOwnerAlone() {
    var session = attempting()
    let before = session.status
    let response = session.write(home, to: .ssid, from: b, at: .zero)
    #expect(response.error == .busy && response.actions == [])
    #expect(session.readStatus(by: b, at: .zero).reason == .busy)
    #expect(session.readStatus(by: a, at: .zero) == before)
    _ = session.attemptEnded(.failed(.noAddress), of: 1, at: .zero)
    #expect(session.readStatus(by: b, at: .zero).reason == .noAddress)
  }

  @Test func refusesPlainWritesWhereACodeIsRequired() {
    var session = DeviceSession(mode: .code)
    for (value, characteristic) in [
      (home, ProvisioningCharacteristic.ssid), ([], .ssid), (password, .password), ([1], .control),
    ] {
      let response = session.write(value, to: characteristic, from: a, at: .zero)
      #expect(response.error == .setupCodeRequired)
      #expect(session.owner == nil && session.deadline == nil)
    }
    #expect(session.readStatus(by: a, at: .zero).reason == .setupCodeRequired)
    #expect(session.readStatus(by: b, at: .zero).reason == .none)
  }

  @Test func takesPlainWritesOverAPairedLink() {
    var session = DeviceSession(mode: .link)
    #expect(request(in: attempt(on: &session)) != nil)
  }

  @Test func offersOnlyItsFeatures() {
    var session = DeviceSession(mode: .open, features: [.identify])
    #expect(session.write([3], to: .control, from: a, at: .zero).error == nil)
    #expect(session.write([4], to: .control, from: a, at: .zero).error == .unsupported)
  }

  @Test func releasesASilentOwner() {
    var session = DeviceSession(mode: .open)
    #expect(session.deadline == nil)
    _ = session.write(home, to: .ssid, from: a, at: .seconds(5))
    #expect(session.deadline == .seconds(65))
    _ = session.readStatus(by: a, at: .seconds(30))
    #expect(session.deadline == .seconds(90))
    _ = session.readStatus(by: b, at: .seconds(40))
    #expect(session.deadline == .seconds(90), "others do not keep the owner")
    #expect(session.advance(to: .seconds(89)) == [])
    #expect(
      session.advance(to: .seconds(90)) == [
        .sessionEnded(a, .silent), .notify(ProvisioningStatus()), .advertise(.notProvisioned),
      ])
    #expect(session.write([1], to: .control, from: b, at: .seconds(91)).error == .notNow)
  }

  @Test func givesTheOwnerItsFullTimeToHearTheResult() {
    var session = attempting()
    #expect(session.deadline == .seconds(120))
    #expect(session.advance(to: .seconds(119)) == [], "an attempt is no silence")
    let actions = session.attemptEnded(.failed(.noAddress), of: 1, at: .seconds(119))
    #expect(actions.first == .notify(session.status))
    #expect(session.owner == a)
    #expect(session.deadline == .seconds(179))
    #expect(session.advance(to: .seconds(179)).first == .sessionEnded(a, .silent))
    #expect(session.status.reason == .noAddress)
  }

  @Test func stopsAnAttemptThatTakesTooLong() {
    var session = attempting()
    let failed = ProvisioningStatus(state: .failed, reason: .timedOut, attempt: 1)
    #expect(
      session.advance(to: .seconds(120)) == [
        .notify(failed), .advertise(.sessionInProgress), .stop(attempt: 1),
      ])
    #expect(session.attemptEnded(.failed(.cancelled), of: 1, at: .seconds(121)) == [])
    #expect(session.status == failed)
  }

  @Test func goesOnWithoutItsOwner() {
    var session = attempting()
    #expect(session.disconnected(a) == [.sessionEnded(a, .disconnected)])
    #expect(session.write(home, to: .ssid, from: b, at: .zero).error == .notNow)
    #expect(session.owner == b)
    _ = session.attemptEnded(.failed(.wrongPassword), of: 1, at: .zero)
    #expect(session.write(home, to: .ssid, from: b, at: .zero).error == nil)
  }

  @Test func tellsThatTheNetworkBeforeIsBack() {
    let link = WiFiLink(ipv4: IPv4Address("10.0.0.7"))
    var session = DeviceSession(mode: .open, link: link)
    #expect(session.status.state == .connected && session.advertisedState == .connected)
    _ = session.write(home, to: .ssid, from: a, at: .zero)
    _ = session.write([1], to: .control, from: a, at: .zero)
    _ = session.attemptReached(.associating, of: 1)
    _ = session.attemptEnded(.failed(.wrongPassword), of: 1, at: .zero)
    #expect(session.status.state == .failed)
    _ = session.linkChanged(to: link, at: .zero)
    #expect(session.status.state == .rolledBack && session.status.reason == .wrongPassword)
    #expect(session.status.ipv4 == link.ipv4)
  }

  @Test func tellsTheFailureAtOnceAndThenWhereItIs() throws {
    var session = attempting()
    _ = session.attemptReached(.authenticating, of: 1)
    let evidence = AttemptEvidence(summary: "The handshake failed.")
    let news = session.attemptFailing(.wrongPassword, of: 1, evidence: evidence, at: .zero)
    #expect(news.contains(.notify(session.status)))
    #expect(session.status.state == .failed && session.status.isReturning)
    #expect(session.status.reason == .wrongPassword && session.advertisedState == .connecting)
    #expect(session.fullStatus.evidence == evidence)
    // The attempt itself says when it is there, not the system.
    let ssid = try SSID(Array("Old".utf8))
    let link = WiFiLink(ipv4: IPv4Address("10.0.0.7"), rssi: -40, ssid: ssid)
    #expect(session.linkChanged(to: link, at: .zero) == [])
    #expect(session.deadline == DeviceSession.returnLimit)
    _ = session.attemptEnded(
      .rolledBack(.wrongPassword, link), of: 1, evidence: evidence, at: .seconds(3))
    #expect(session.status.state == .rolledBack && !session.status.isReturning)
    #expect(session.status.reason == .wrongPassword && session.status.ipv4 == link.ipv4)
    #expect(session.status.attempt == 1)
    let full = session.fullStatus
    #expect(full.ssid == ssid && full.triedSSID?.bytes == home && full.evidence == evidence)
  }

  @Test func theNetworkBeforeMayNotComeBack() {
    for isTold in [true, false] {
      var session = attempting()
      _ = session.attemptReached(.associating, of: 1)
      _ = session.attemptFailing(
        .wrongPassword, of: 1, evidence: AttemptEvidence(summary: ""), at: .zero)
      if isTold {
        _ = session.attemptEnded(.failed(.wrongPassword), of: 1, at: .seconds(5))
      } else {
        #expect(session.advance(to: .seconds(39)) == [])
        _ = session.advance(to: DeviceSession.returnLimit)
      }
      #expect(session.status.state == .failed && session.status.isLast)
      #expect(session.status.reason == .wrongPassword && session.advertisedState != .connecting)
    }
  }

  @Test func theNextAttemptMayBeginOnTheWayBack() {
    var session = attempting()
    _ = session.attemptFailing(
      .wrongPassword, of: 1, evidence: AttemptEvidence(summary: ""), at: .zero)
    #expect(session.write(home, to: .ssid, from: a, at: .zero).error == nil)
    let actions = session.write([1], to: .control, from: a, at: .zero).actions
    #expect(request(in: actions)?.attempt == 2)
    #expect(session.status.state == .preparing && !session.status.isReturning)
    // What becomes of the first one is no news any more.
    #expect(session.attemptEnded(.rolledBack(.wrongPassword, WiFiLink()), of: 1, at: .zero) == [])
    #expect(session.status.state == .preparing)
  }

  @Test func aNetworkThatGoesAwayAtOnceHasNotWorked() throws {
    let ssid = try SSID(home)
    let link = WiFiLink(ipv4: IPv4Address("10.0.0.7"), connectivity: .limited, ssid: ssid)
    var session = attempting()
    _ = session.attemptEnded(.connected(link, saved: true), of: 1, at: .zero)
    // What changes is told.
    var better = link
    better.connectivity = .full
    _ = session.linkChanged(to: better, at: .seconds(4))
    #expect(session.status.state == .connected && session.status.connectivity == .full)
    _ = session.linkChanged(to: nil, at: .seconds(9))
    #expect(session.status.state == .failed && session.status.reason == .outOfRange)
    #expect(session.status.attempt == 1)
    // It may come back, and another one is not it.
    let other = WiFiLink(ssid: try SSID(Array("Old".utf8)))
    _ = session.linkChanged(to: other, at: .seconds(12))
    #expect(session.status.state == .rolledBack && session.status.reason == .outOfRange)
    _ = session.linkChanged(to: link, at: .seconds(20))
    #expect(session.status.state == .connected && session.status.reason == .none)
    // Later it is no longer the attempt's matter.
    _ = session.linkChanged(to: nil, at: .seconds(21))
    #expect(session.status.state == .idle)
  }

  @Test func neverLeftTheNetworkBefore() {
    var session = DeviceSession(mode: .open, link: WiFiLink())
    _ = session.write(home, to: .ssid, from: a, at: .zero)
    _ = session.write([1], to: .control, from: a, at: .zero)
    _ = session.attemptEnded(.failed(.networkNotFound), of: 1, at: .zero)
    #expect(session.status.state == .rolledBack)
    #expect(session.status.reason == .networkNotFound)
  }

  @Test func warnsThatTheNetworkIsNotSaved() {
    var session = attempting()
    _ = session.attemptEnded(.connected(WiFiLink(), saved: false), of: 1, at: .zero)
    #expect(session.status.state == .connected && session.status.reason == .notSaved)
  }

  @Test func countsAttemptsFromOneTo255() {
    var session = DeviceSession(mode: .open)
    for expected in Array(1...255) + [1, 2] {
      _ = session.write(home, to: .ssid, from: a, at: .zero)
      let actions = session.write([1], to: .control, from: a, at: .zero).actions
      #expect(request(in: actions)?.attempt == UInt8(expected))
      _ = session.attemptEnded(.failed(.noAddress), of: UInt8(expected), at: .zero)
    }
  }

  @Test func takesAnyEventsInAnyOrder() {
    var generator = SystemRandomNumberGenerator()
    var session = DeviceSession(mode: .open, features: [.identify, .forget])
    var now = Duration.zero
    var last = session.status
    for _ in 0..<10_000 {
      now += .seconds(Int.random(in: 0...20, using: &generator))
      let central = Bool.random(using: &generator) ? a : b
      let actions: [DeviceSession.Action]
      switch Int.random(in: 0..<10, using: &generator) {
      case 0...3:
        let count = Int.random(in: 0...40, using: &generator)
        let value = (0..<count).map { _ in UInt8.random(in: 0...127, using: &generator) }
        let characteristic = ProvisioningCharacteristic.allCases.randomElement(using: &generator)
        let isControl = characteristic == .control
        actions =
          session.write(
            isControl ? [UInt8.random(in: 0...5, using: &generator)] : value,
            to: characteristic ?? .ssid, from: central, at: now
          ).actions
      case 4: actions = session.disconnected(central)
      case 5: actions = session.attemptReached(.associating, of: last.attempt)
      case 6: actions = session.attemptEnded(.failed(.noAddress), of: last.attempt, at: now)
      case 7:
        actions = session.attemptFailing(
          .noAddress, of: last.attempt, evidence: AttemptEvidence(summary: ""), at: now)
      case 8:
        actions = session.linkChanged(
          to: Bool.random(using: &generator) ? WiFiLink() : nil, at: now)
      default: actions = session.advance(to: now)
      }
      let news = actions.compactMap { if case .notify(let status) = $0 { status } else { nil } }
      #expect(news == (session.status == last ? [] : [session.status]))
      last = session.status
      #expect(last.encoded.count == ProvisioningStatus.encodedLength)
    }
  }
}
