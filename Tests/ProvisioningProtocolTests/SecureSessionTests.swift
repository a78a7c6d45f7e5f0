import CBOR
import Cryptography
import ProvisioningProtocol
import Secrets
import Testing

/// Both machines, with a good pipe between them.
struct SecureSessionTests {
  private let home: SSID
  private let job: SecureSession.Job
  private let link: WiFiLink

  init() throws {
    home = try SSID(Array("Home".utf8))
    job = .provision(
      NetworkDescription(
        ssid: home, password: try WiFiPassword(SecretBytes("correct horse".utf8))))
    link = WiFiLink(
      ipv4: IPv4Address("192.0.2.7"), rssi: -50, connectivity: .full, ssid: home)
  }

  private func connect(in actions: [DeviceSession.Action]) -> ConnectRequest? {
    for case .connect(let request) in actions { return request }
    return nil
  }

  @Test(arguments: [23, 24, 64, 185, 517]) func theWholeJob(mtu: Int) throws {
    let pipe = try SecurePipe(job, mtu: mtu)
    pipe.run()
    #expect(pipe.isOpened && pipe.outcome == nil)
    #expect(pipe.stored == [1, 0])
    let request = try #require(connect(in: pipe.deviceActions))
    #expect(request.network.ssid == home)
    #expect(request.network.password.bytes == SecretBytes("correct horse".utf8))
    for step in AttemptStep.allCases.dropFirst() {
      pipe.perform(pipe.device.attemptReached(step, of: 1))
    }
    pipe.perform(pipe.device.attemptEnded(.connected(link, saved: true), of: 1, at: .zero))
    let states = AttemptStep.allCases.map(\.state) + [.connected]
    #expect(pipe.shown.map(\.value.state) == states)
    #expect(pipe.shown.allSatisfy { $0.ssid == home })
    #expect(pipe.outcome == .connected(try #require(pipe.shown.last)))
    #expect(pipe.shown.last?.value.ipv4 == link.ipv4)
    #expect(pipe.air.allSatisfy { $0.bytes.count <= mtu - 3 })
  }

  @Test func nothingOnTheAirTellsTheNetworkOrThePassword() throws {
    let pipe = try SecurePipe(job, mtu: 517)
    pipe.run()
    pipe.perform(pipe.device.attemptEnded(.connected(link, saved: true), of: 1, at: .zero))
    let air = pipe.air.flatMap(\.bytes)
    for secret in ["Home", "correct horse", "horse"] {
      let bytes = Array(secret.utf8)
      #expect(!air.indices.contains { air[$0...].starts(with: bytes) })
    }
    // What everybody may read has neither either.
    for case .notify(let status) in pipe.deviceActions {
      #expect(!status.encoded.contains(UInt8(ascii: "H")))
    }
  }

  /// With the scalars of the specification's handshake both sides say what stands there.
  @Test func saysWhatTheVectorsSay() throws {
    let vector = try #require(HandshakeTests.vectors.first)
    let deviceID = try #require(DeviceID(vector.id))
    let credentials = try SetupCode(vector.code.utf8).credentials(
      for: deviceID, stretching: CodeStretching(salt: vector.salt.bytes, cost: vector.n))
    let pipe = try SecurePipe(.ask(.info), mtu: 517)
    pipe.device = DeviceSession(
      mode: .code,
      setup: try SecureSetup(
        deviceID: deviceID, information: vector.information.bytes,
        record: credentials.record(), scalar: P256Scalar(SecretBytes(vector.y.bytes))))
    pipe.provisioner = try SecureSession(
      .ask(.info), deviceID: deviceID, information: vector.information.bytes,
      credentials: credentials, mtu: 517, scalar: P256Scalar(SecretBytes(vector.x.bytes)))
    pipe.run()
    // One segment each: a byte of header, and two of length.
    let messages = pipe.air.map { Array($0.bytes.dropFirst(3)) }
    let request = try #require(vector.records.first)
    #expect(messages.count == 5)
    #expect(messages.prefix(4) == vector.messages.map(\.bytes)[...] + [request.message.bytes])
  }

  private static let longest = AttemptEvidence(
    summary: String(repeating: "ö", count: 3000), advice: String(repeating: "ä", count: 3000),
    security: .wpaEAP, rssi: -128, frequency: .max,
    states: (0..<1000).map { DeviceStateChange(state: $0, reason: .max) },
    supplicant: [String](repeating: String(repeating: "x", count: 1000), count: 1000))

  @Test func theFailureComesWithItsEvidence() throws {
    let pipe = try SecurePipe(job)
    pipe.run()
    pipe.perform(
      pipe.device.attemptEnded(
        .failed(.wrongPassword), of: 1, evidence: Self.longest, at: .zero))
    guard case .failed(let status) = pipe.outcome else {
      Issue.record("\(String(describing: pipe.outcome))")
      return
    }
    #expect(status.value.reason == .wrongPassword)
    // The ends of the lists, and the beginnings of texts, so that it fits.
    let evidence = try #require(status.evidence)
    #expect(evidence.summary == String(repeating: "ö", count: 150))
    #expect(evidence.states == (984..<1000).map { DeviceStateChange(state: $0, reason: .max) })
    #expect(evidence.supplicant.count == 8)
    #expect(evidence.supplicant.allSatisfy { $0 == String(repeating: "x", count: 48) })
    #expect(evidence.rssi == -128 && evidence.frequency == .max && evidence.security == .wpaEAP)
    #expect(DeviceMessage.status(status).encoded.count < 1300)
    // And stays to be asked for.
    try pipe.restart(.ask(.status))
    guard case .answered(let value) = pipe.outcome else {
      Issue.record("\(String(describing: pipe.outcome))")
      return
    }
    #expect(try DeviceStatus(value).evidence == status.evidence)
  }

  @Test func waitsForTheWayBackButNotForEver() throws {
    let pipe = try SecurePipe(job)
    pipe.run()
    let evidence = AttemptEvidence(summary: "The handshake failed.")
    pipe.perform(
      pipe.device.attemptFailing(.wrongPassword, of: 1, evidence: evidence, at: .zero))
    #expect(pipe.outcome == nil)
    let told = try #require(pipe.shown.last)
    #expect(told.value.isReturning && told.evidence == evidence)
    pipe.perform(pipe.provisioner.advance(to: .seconds(45)))
    #expect(pipe.outcome == .failed(told))
  }

  @Test func theFailureIsToldAtOnceAndThenWhereTheDeviceIs() throws {
    let pipe = try SecurePipe(job)
    pipe.run()
    let evidence = AttemptEvidence(summary: "The handshake failed.")
    pipe.perform(
      pipe.device.attemptFailing(.wrongPassword, of: 1, evidence: evidence, at: .zero))
    let old = WiFiLink(
      ipv4: IPv4Address("10.0.0.7"), ssid: try SSID(Array("Old".utf8)),
      details: LinkDetails(
        frequency: 2412, ipv6: [try #require(IPv6Address("2001:db8::7"))],
        gateways: [try #require(IPAddress("10.0.0.1"))],
        dns: [try #require(IPAddress("10.0.0.1"))]))
    pipe.perform(
      pipe.device.attemptEnded(.rolledBack(.wrongPassword, old), of: 1, at: .seconds(2)))
    guard case .failed(let status) = pipe.outcome else {
      Issue.record("\(String(describing: pipe.outcome))")
      return
    }
    #expect(status.value.state == .rolledBack && status.value.reason == .wrongPassword)
    #expect(status.ssid == old.ssid && status.triedSSID == home && status.link == old.details)
    #expect(status.evidence == evidence)
  }

  @Test func aDeviceWithoutEnterpriseSaysSo() throws {
    let network = NetworkDescription(
      ssid: home,
      enterprise: EnterpriseCredentials(
        method: .ttls, identity: "someone", password: try WiFiPassword(SecretBytes("x".utf8)),
        skipsValidation: true))
    // This device cannot do that at all.
    let pipe = try SecurePipe(.provision(network))
    pipe.run()
    guard case .refused(let failure) = pipe.outcome else {
      Issue.record("\(String(describing: pipe.outcome))")
      return
    }
    #expect(failure.reason == .securityNotSupported && pipe.risks.isEmpty)
  }

  /// Three certificates and a key, at the smallest MTU.
  @Test func theLargestNetworkPasses() throws {
    let certificate = [UInt8]("-----BEGIN CERTIFICATE-----".utf8) + Self.filler(3900)
    let network = NetworkDescription(
      ssid: home,
      enterprise: EnterpriseCredentials(
        method: .tls, identity: "someone", caCertificate: certificate,
        clientCertificate: certificate,
        clientKey: SecretBytes([UInt8]("-----BEGIN PRIVATE KEY-----".utf8) + Self.filler(3900))))
    let request = SealedRequest(id: 1, .provision(network))
    #expect(request.encoded.count < SealedRecords.contentLimit)
    let read = try SealedRequest(decoding: request.encoded)
    #expect(try read.method() == .provision(network))
    let pipe = try SecurePipe(.provision(network))
    pipe.run()
    guard case .refused(let failure) = pipe.outcome else {
      Issue.record("\(String(describing: pipe.outcome))")
      return
    }
    #expect(failure.reason == .securityNotSupported)
  }

  private static func filler(_ count: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(ascii: "x"), count: count)
  }

  @Test func aNamedSecurityIsPassedOn() throws {
    let pipe = try SecurePipe(
      .provision(
        NetworkDescription(
          ssid: home, security: .sae, password: try WiFiPassword(SecretBytes("x".utf8)))))
    pipe.run()
    #expect(connect(in: pipe.deviceActions)?.network.security == .sae)
  }

  @Test(arguments: [
    (NetworkSecurity.wpaPSK, "short", Reason.passwordFormat),
    (.open, "unexpected", .passwordFormat), (.wpaEAP, "", .securityNotSupported),
  ]) func whatCannotBeJoinedIsRefusedAtOnce(
    security: NetworkSecurity, password: String, reason: Reason
  ) throws {
    let pipe = try SecurePipe(
      .provision(
        NetworkDescription(
          ssid: home, security: security,
          password: try WiFiPassword(SecretBytes(password.utf8)))))
    pipe.run()
    guard case .refused(let failure) = pipe.outcome else {
      Issue.record("\(String(describing: pipe.outcome))")
      return
    }
    #expect(failure.reason == reason)
    #expect(connect(in: pipe.deviceActions) == nil)
  }

  // MARK: Other requests

  @Test func tellsWhatItOffers() throws {
    let pipe = try SecurePipe(.ask(.info), features: [.identify])
    pipe.device.obstacle = .radioBlocked
    pipe.run()
    guard case .answered(let value) = pipe.outcome else {
      Issue.record("\(String(describing: pipe.outcome))")
      return
    }
    let details = try DeviceDetails(value)
    #expect(details.obstacle == .radioBlocked)
    #expect(
      details.methods == [
        .info, .scan, .provision, .status, .cancel, .identify, .list, .forget,
      ])
  }

  @Test func listsTheNetworksInPages() throws {
    let networks = VisibleNetworks(
      networks: try (0..<200).map {
        VisibleNetwork(
          ssid: try SSID([UInt8($0)]), security: .wpaPSK, rssi: -60, accessPointCount: 1,
          bands: [.two, .five], isKnown: $0 == 3)
      }, age: 29, hiddenCount: 4)
    let pipe = try SecurePipe(.scan)
    pipe.run()
    #expect(pipe.deviceActions.contains(.scan(errand: 1)))
    #expect(pipe.outcome == nil)
    pipe.perform(pipe.device.scanned(.success(networks), errand: 1, at: .zero))
    #expect(pipe.outcome == .networks(networks))
  }

  @Test func listsTheKeptNetworksInPages() throws {
    let networks = try (0..<37).map {
      SavedNetwork(
        ssid: try SSID([UInt8($0)]), security: .sae, isInUse: $0 == 0,
        connectsAutomatically: true)
    }
    let pipe = try SecurePipe(.list)
    pipe.run()
    #expect(pipe.deviceActions.contains(.list(errand: 1)))
    pipe.perform(pipe.device.listed(.success(networks), errand: 1, at: .zero))
    #expect(pipe.outcome == .savedNetworks(networks))
    // The list goes with its session.
    try pipe.restart(.ask(.list(from: 16)))
    #expect(pipe.outcome == .refused(RequestFailure(.notNow)))
  }

  @Test func forgetsANetwork() throws {
    let pipe = try SecurePipe(.ask(.forget(home)))
    pipe.run()
    #expect(pipe.deviceActions.contains(.forgetNetwork(home, errand: 1)))
    pipe.perform(pipe.device.forgot(.success(2), errand: 1, at: .zero))
    #expect(
      pipe.outcome == .answered(.map([CBORValue.Entry(.unsigned(0), .unsigned(2))])))
  }

  @Test func anErrandThatFailsIsToldSo() throws {
    let pipe = try SecurePipe(.scan)
    pipe.run()
    let failure = RequestFailure(.radioBlocked)
    pipe.perform(pipe.device.scanned(.failure(failure), errand: 1, at: .zero))
    #expect(pipe.outcome == .refused(failure))
  }

  /// What one session asked for must not be answered in the next.
  @Test func anErrandOfAnEarlierSessionIsNobodys() throws {
    let pipe = try SecurePipe(.scan)
    pipe.run()
    try pipe.restart(.ask(.forget(home)))
    let before = pipe.air.count
    pipe.perform(pipe.device.scanned(.success(VisibleNetworks()), errand: 1, at: .zero))
    #expect(pipe.air.count == before && pipe.outcome == nil)
    pipe.perform(pipe.device.forgot(.success(0), errand: 2, at: .zero))
    #expect(pipe.outcome != nil)
  }

  @Test(arguments: [RequestMethod.identify, .list(from: 5), .scan(from: 5)])
  func whatIsNotThereIsRefused(_ method: RequestMethod) throws {
    let pipe = try SecurePipe(.ask(method))
    pipe.run()
    let reason: Reason = method == .identify ? .unsupported : .notNow
    #expect(pipe.outcome == .refused(RequestFailure(reason)))
  }

  @Test func whileAnAttemptRunsNothingElseBegins() throws {
    let pipe = try SecurePipe(job)
    pipe.run()
    for job in [job, .scan, .list, .ask(.forget(home))] {
      try pipe.restart(job)
      #expect(pipe.outcome == .refused(RequestFailure(.notNow)))
    }
    try pipe.restart(.ask(.cancel))
    #expect(pipe.deviceActions.contains(.stop(attempt: 1)))
    #expect(pipe.outcome == .answered(.map([])))
    #expect(pipe.device.status.reason == .cancelled)
  }

  @Test func stoppingTellsTheDevice() throws {
    let pipe = try SecurePipe(job)
    pipe.run()
    pipe.perform(pipe.provisioner.stop(.cancelled, at: .zero))
    #expect(pipe.deviceActions.contains(.stop(attempt: 1)))
    #expect(pipe.outcome == .cancelled)
  }

  @Test func withoutNewsTheStatusIsAskedFor() throws {
    let pipe = try SecurePipe(job)
    pipe.run()
    let before = pipe.air.count
    pipe.wait()
    #expect(pipe.now == ProvisionerSession.Limits().quiet)
    #expect(pipe.air.count > before && pipe.outcome == nil)
    pipe.perform(pipe.device.attemptReached(.associating, of: 1))
    #expect(pipe.shown.last?.value.state == .associating)
  }

  // MARK: Codes

  @Test func aWrongCodeIsToldWithTheGuessesLeft() throws {
    let pipe = try SecurePipe(job, code: "003-141-591")
    pipe.run()
    #expect(pipe.outcome == .wrongCode(guessesLeft: 4))
    #expect(pipe.stored == [1])
    #expect(connect(in: pipe.deviceActions) == nil)
    #expect(pipe.device.owner == nil)
    for left: UInt8 in [3, 2, 1, 0] {
      try pipe.restart(job, code: "003-141-591")
      #expect(pipe.outcome == .wrongCode(guessesLeft: left))
    }
    #expect(pipe.stored == [1, 2, 3, 4, 5])
    // Now the right one does not help either, until the time has passed.
    pipe.now = .seconds(1)
    try pipe.restart(job)
    #expect(pipe.outcome == .lockedOut(seconds: 29))
    #expect(pipe.stored.count == 5)
    pipe.now = .seconds(30)
    try pipe.restart(job)
    #expect(pipe.isOpened && pipe.outcome == nil)
    #expect(pipe.stored.last == 0)
  }

  @Test func theGuessesHoldOverARestart() throws {
    let pipe = try SecurePipe(job, wrongGuesses: 6)
    pipe.run()
    #expect(pipe.outcome == .lockedOut(seconds: 60))
    // The person at the device may lift the lock.
    pipe.perform(pipe.device.forgiveGuesses())
    try pipe.restart(job)
    #expect(pipe.isOpened)
  }

  /// A guesser who goes away with the device's proof has used up a guess.
  @Test func goingAwayWithTheProofCounts() throws {
    let pipe = try SecurePipe(job)
    pipe.run()
    for _ in 0..<5 {
      pipe.interfere = { if case .notification = $0 { [] } else { [$0] } }
      try pipe.restart(job)
      pipe.perform(pipe.device.disconnected(SecurePipe.central))
    }
    #expect(pipe.stored.suffix(5) == [1, 2, 3, 4, 5])
    pipe.interfere = { [$0] }
    try pipe.restart(job)
    #expect(pipe.outcome == .lockedOut(seconds: 30))
  }

  /// Without a count that lasts no proof goes out.
  @Test func aGuessThatCannotBeStoredGetsNoProof() throws {
    let pipe = try SecurePipe(job)
    pipe.canStore = false
    pipe.run()
    #expect(pipe.outcome == .notAccepted(.unsupported))
    #expect(pipe.stored.isEmpty)
    for case .send(let message) in pipe.deviceActions {
      #expect(try SessionMessage(decoding: message) == .abort(.notEnabled))
    }
  }

  @Test func theCountIsStoredBeforeTheProofGoesOut() throws {
    let pipe = try SecurePipe(job)
    pipe.run()
    let store = try #require(pipe.deviceActions.firstIndex(of: .storeWrongGuesses(1)))
    let send = try #require(
      pipe.deviceActions.firstIndex { if case .send = $0 { true } else { false } })
    #expect(store < send)
  }
}
