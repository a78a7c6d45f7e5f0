import Cryptography
import ProvisioningAgent
import ProvisioningProtocol
import Secrets
import Synchronization
import Testing

@Suite struct SecureTests {
  private let right: SetupCode
  private let wrong: SetupCode
  private let store = FakeGuessStore()
  private let verifier: CodeVerifier
  private let ssid: SSID
  private let job: SecureSession.Job

  init() throws {
    right = try SetupCode("271-828-189".utf8)
    wrong = try SetupCode("003-141-591".utf8)
    let stretching = try CodeStretching(salt: [UInt8](0..<16))
    let id = try #require(DeviceID("0123456789ab"))
    verifier = CodeVerifier(
      record: try right.credentials(for: id, stretching: stretching).record(),
      stretching: stretching)
    ssid = try SSID(Array("Home".utf8))
    job = .provision(
      NetworkDescription(
        ssid: ssid, password: try WiFiPassword(SecretBytes("correct horse".utf8))))
  }

  private func board(
    wrongGuesses: UInt32 = 0, indicator: FakeIndicator? = nil
  ) throws -> Harness {
    try Harness(
      mode: .code,
      code: CodeCheck(verifier: verifier, wrongGuesses: wrongGuesses, store: store),
      indicator: indicator)
  }

  @Test func theWholeJob() throws {
    let board = try board()
    let central = try SecureCentral(job, code: right, on: board)
    #expect(
      board.station.calls.last
        == .join(ssid: ssid.bytes, password: Array("correct horse".utf8)))
    board.reach(.associating)
    let link = WiFiLink(ipv4: IPv4Address("192.0.2.7"), rssi: -50, connectivity: .full)
    board.finish(.connected(link, saved: true))
    central.listen()
    #expect(central.shown.map(\.value.state) == [.preparing, .associating, .connected])
    #expect(central.outcome == .connected(try #require(central.shown.last)))
    #expect(store.counts == [1, 0])
    board.disconnect()
    board.wait(1)
    #expect(board.clock.timerCount == 0)
    #expect(!board.station.passwordLives)
  }

  @Test func saysThatItWantsTheCode() throws {
    let board = try board()
    let information = try DeviceInformation(decoding: board.read(.information))
    #expect(information.profiles == [.secure])
    #expect(information.stretching == verifier.stretching)
    #expect(board.peripheral.advertised?.flags == .setupCodeRequired)
    #expect(board.provision("Home", "correct horse") == .setupCodeRequired)
    #expect(board.lines.count(of: "there is no setup code") == 0)
  }

  @Test func aPlainDeviceMayHaveACodeToo() throws {
    let code = CodeCheck(verifier: verifier, wrongGuesses: 0, store: store)
    let board = try Harness(mode: .open, code: code)
    let information = try DeviceInformation(decoding: board.read(.information))
    #expect(information.profiles == [.plain, .secure])
    _ = try SecureCentral(job, code: right, on: board)
    #expect(board.station.isJoining)
  }

  /// A loss of power right after the proof has gone out must find the guess stored.
  @Test func theGuessIsStoredBeforeAnythingIsSent() throws {
    let board = try board()
    let sentBefore = Mutex<[Int]>([])
    let peripheral = board.peripheral
    store.onStore {
      let sent = peripheral.calls.count { if case .send = $0 { true } else { false } }
      sentBefore.withLock { $0.append(sent) }
    }
    _ = try SecureCentral(.ask(.status), code: wrong, on: board)
    #expect(sentBefore.withLock { $0 } == [0])
    #expect(store.counts == [1])
  }

  @Test func withoutAStoreNoGuessIsAllowed() throws {
    let board = try board()
    store.fill()
    let central = try SecureCentral(job, code: right, on: board)
    #expect(central.outcome == .notAccepted(.unsupported))
    #expect(!board.station.isJoining)
    #expect(board.lines.count(of: "cannot be stored") == 1)
  }

  @Test func theLockHoldsOverARestartAndEndsWithTime() throws {
    let board = try board(wrongGuesses: 5)
    let locked = try SecureCentral(job, code: right, on: board)
    #expect(locked.outcome == .lockedOut(seconds: 30))
    board.disconnect()
    board.wait(30)
    _ = try SecureCentral(job, code: right, on: board)
    #expect(board.station.isJoining)
    #expect(store.counts == [6, 0])
  }

  @Test func thePersonAtTheDeviceLiftsTheLock() throws {
    let board = try board(wrongGuesses: 9)
    board.executor.run { board.agent.assumeIsolated { $0.forgiveGuesses() } }
    #expect(store.counts == [0])
    _ = try SecureCentral(job, code: right, on: board)
    #expect(board.station.isJoining)
  }

  @Test func aSecondCentralIsBusy() throws {
    let board = try board()
    let first = try SecureCentral(job, code: right, on: board)
    let second = try SecureCentral(job, code: right, on: board, as: "B")
    #expect(second.outcome == .notAccepted(.busy))
    board.finish(.connected(WiFiLink(), saved: true))
    first.listen()
    #expect(first.shown.last?.value.state == .connected)
  }

  @Test func scansAndForgets() throws {
    let board = try board()
    let networks = VisibleNetworks(
      networks: [VisibleNetwork(ssid: ssid, security: .wpaPSK, rssi: -40, accessPointCount: 2)],
      age: 12, hiddenCount: 1)
    board.station.show(.success(networks))
    let scan = try SecureCentral(.scan, code: right, on: board)
    scan.listen()
    #expect(scan.outcome == .networks(networks))
    board.disconnect()
    let forget = try SecureCentral(.ask(.forget(ssid)), code: right, on: board)
    forget.listen()
    #expect(board.station.calls.contains(.forget(ssid: ssid.bytes)))
    guard case .answered(let count) = forget.outcome else {
      Issue.record("\(String(describing: forget.outcome))")
      return
    }
    #expect(try count.number() == 1)
    board.disconnect()
    board.station.show(.failure(RequestFailure(.radioBlocked)))
    let refused = try SecureCentral(.scan, code: right, on: board)
    refused.listen()
    #expect(refused.outcome == .refused(RequestFailure(.radioBlocked)))
  }

  @Test func listsTheNetworksThatItKeeps() throws {
    let board = try board()
    let saved = try (0..<40).map { (number: UInt8) in
      SavedNetwork(
        ssid: try SSID([UInt8](repeating: number, count: 32)), security: .wpaPSK,
        isInUse: number == 0, connectsAutomatically: number % 2 == 0)
    }
    board.station.keep(.success(saved))
    let list = try SecureCentral(.list, code: right, on: board)
    list.listen()
    #expect(list.outcome == .savedNetworks(saved))
    // The pages after the first come from the same list.
    #expect(board.station.calls.count { $0 == .list } == 1)
    board.disconnect()
    board.station.keep(.failure(RequestFailure(.networkManagerNotRunning)))
    let refused = try SecureCentral(.list, code: right, on: board)
    refused.listen()
    #expect(refused.outcome == .refused(RequestFailure(.networkManagerNotRunning)))
  }

  /// What a device says it answers is what it answers.
  @Test(arguments: [false, true]) func answersTheMethodsThatItNames(hasLight: Bool) throws {
    let board = try board(indicator: hasLight ? FakeIndicator() : nil)
    let methods: [RequestMethod] = [
      .info, .scan(from: 0), .status, .cancel, .identify, .list(from: 0), .forget(ssid),
      // The last, for it goes on.
      .provision(NetworkDescription(ssid: ssid)),
    ]
    var answered: Set<RequestMethod.Name> = []
    var named: [RequestMethod.Name]?
    for method in methods {
      let central = try SecureCentral(.ask(method), code: right, on: board)
      central.listen()
      switch central.outcome {
      case .answered(let value):
        answered.insert(method.name)
        if method == .info { named = try DeviceDetails(value).methods }
      case let outcome: #expect(outcome == .refused(RequestFailure(.unsupported)))
      }
      board.disconnect()
    }
    #expect(Set(try #require(named)) == answered)
    #expect(answered.contains(.identify) == hasLight)
    let information = try DeviceInformation(decoding: board.read(.information))
    #expect(information.features.contains(.identify) == hasLight)
  }

  @Test func tellsWhoMayNotForget() throws {
    let board = try board()
    board.station.forget(as: .failure(RequestFailure(.permissionDenied)))
    let central = try SecureCentral(.ask(.forget(ssid)), code: right, on: board)
    central.listen()
    #expect(central.outcome == .refused(RequestFailure(.permissionDenied)))
  }

  @Test func noLineOfTheLogHasASecret() throws {
    let board = try board()
    _ = try SecureCentral(job, code: wrong, on: board)
    _ = try SecureCentral(job, code: right, on: board)
    board.finish(.failed(.wrongPassword))
    #expect(board.lines.count(of: "wrong setup code; guesses left: 4") == 1)
    #expect(board.lines.count(of: "knows the setup code") == 1)
    for secret in ["correct horse", "271", "828", "141"] {
      #expect(board.lines.count(of: secret) == 0)
    }
  }
}
