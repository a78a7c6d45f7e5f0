import ProvisioningProtocol
import Secrets
import Testing

@testable import Provisioner

@Suite(.timeLimit(.minutes(1)))
struct ConnectTests {
  private static let attempt: [FakeCentral.WiFiEvent] = [
    .step(.associating), .step(.authenticating), .step(.obtainingAddress),
    .step(.checkingConnectivity),
  ]

  private let ssid: SSID
  private let password: WiFiPassword
  private let link: WiFiLink
  private let peer: PeerAddress

  init() throws {
    ssid = try SSID(Array("Home".utf8))
    password = try WiFiPassword(SecretBytes("correct horse".utf8))
    link = WiFiLink(ipv4: IPv4Address("192.0.2.7"), rssi: -50, connectivity: .full)
    peer = try advertisement().address
  }

  private func connect(_ bench: Bench) -> Task<Provisioner.Outcome, any Error> {
    Task {
      try await bench.provisioner.connect(
        .kitchen, to: NetworkDescription(ssid: ssid, password: password), access: .insecure)
    }
  }

  @Test func theWholeJob() async throws {
    let bench = try Bench()
    await bench.port.play(Self.attempt + [.end(.connected(link, saved: true))])
    let outcome = try await connect(bench).value
    #expect(outcome.last.value.state == .connected)
    #expect(outcome.last.value.ipv4 == link.ipv4)
    #expect(outcome.before?.state == .checkingConnectivity)
    #expect(
      await bench.port.requests == [
        ConnectRequest(
          attempt: 1, network: NetworkDescription(ssid: ssid, password: password))
      ])
    #expect(
      await bench.port.calls == [
        .operation(.prepare), .operation(.scan), .operation(.connect), .operation(.discover),
        .operation(.subscribe), .operation(.read(.information)), .operation(.write(.ssid)),
        .operation(.write(.password)), .operation(.read(.status)), .operation(.write(.control)),
        .disconnect(peer),
      ])
    let states = bench.told.all.compactMap { progress -> ProvisioningState? in
      if case .status(let status) = progress { status.value.state } else { nil }
    }
    #expect(
      states == [
        .preparing, .associating, .authenticating, .obtainingAddress, .checkingConnectivity,
        .connected,
      ])
    #expect(await bench.port.isClean)
  }

  @Test func aFailureIsToldAtOnceAndThenWhereTheDeviceIs() async throws {
    let bench = try Bench()
    await bench.port.play([.step(.authenticating), .failing(.wrongPassword)])
    let result = connect(bench)
    try await eventually {
      bench.told.all.contains {
        if case .status(let status) = $0 { status.value.isReturning } else { false }
      }
    }
    await bench.port.play(.end(.rolledBack(.wrongPassword, link)))
    let outcome = try await result.value
    #expect(outcome.last.value.state == .rolledBack && outcome.last.value.ipv4 == link.ipv4)
    #expect(outcome.before?.state == .authenticating)
    #expect(await bench.port.isClean)
  }

  @Test func aWrongPasswordAndThenTheRightOne() async throws {
    let bench = try Bench()
    await bench.port.play(
      Array(Self.attempt.prefix(2)) + [.end(.failed(.wrongPassword))],
      Self.attempt + [.end(.connected(link, saved: true))])
    let wrong = try await connect(bench).value
    #expect(wrong.last.value.state == .failed)
    #expect(wrong.last.value.reason == .wrongPassword)
    #expect(wrong.before?.state == .authenticating)
    #expect(try await connect(bench).value.last.value.state == .connected)
    #expect(await bench.port.isClean)
  }

  @Test func aNetworkWithoutPasswordGetsNone() async throws {
    let bench = try Bench()
    await bench.port.play([.end(.connected(link, saved: true))])
    _ = try await bench.provisioner.connect(
      .kitchen, to: NetworkDescription(ssid: ssid), access: .insecure)
    #expect(await bench.port.requests.map(\.network.password.isEmpty) == [true])
  }

  @Test func lostNotificationsAreMadeUpForByReading() async throws {
    let bench = try Bench()
    await bench.port.mute()
    await bench.port.play(Self.attempt + [.end(.connected(link, saved: true))])
    let result = connect(bench)
    await bench.clock.elapse(Limits.standard.session.quiet)
    #expect(try await result.value.last.value.state == .connected)
  }

  // MARK: Refusals

  @Test(arguments: ApplicationError.allCases.filter { $0 != .busy })
  func aRefusedWriteIsToldByItsReason(_ error: ApplicationError) async throws {
    for (operation, step) in Self.writes {
      let bench = try Bench()
      await bench.port.set([.error(CentralError(.attribute(error.rawValue)))], for: operation)
      await #expect(throws: ProvisionerError.refused(step, .reason(error.reason))) {
        try await connect(bench).value
      }
      #expect(await bench.port.isClean)
    }
  }

  private static let writes: [(FakeCentral.Operation, Step)] = [
    (.write(.ssid), .sendSSID), (.write(.password), .sendPassword),
    (.write(.control), .sendControl),
  ]

  @Test func aBusyDeviceIsAskedForTheTrueReason() async throws {
    let bench = try Bench()
    // As an old BlueZ has it: every refusal arrives as this one.
    await bench.port.set([.error(CentralError(.attribute(0x80)))], for: .write(.ssid))
    await #expect(throws: ProvisionerError.refused(.readStatus, .reason(.busy))) {
      try await connect(bench).value
    }
    #expect(await bench.port.calls.contains(.operation(.read(.status))))
  }

  @Test func aDeviceThatWantsItsSetupCodeRefuses() async throws {
    let bench = try Bench(mode: .code)
    await #expect(throws: ProvisionerError.refused(.sendSSID, .reason(.setupCodeRequired))) {
      try await connect(bench).value
    }
  }

  @Test func aDeviceThatAdvertisesSoIsNotConnectedTo() async throws {
    let bench = try Bench(try advertisement(flags: .setupCodeRequired))
    await #expect(throws: ProvisionerError.refused(.search, .reason(.setupCodeRequired))) {
      try await connect(bench).value
    }
    #expect(await bench.port.calls == [.operation(.prepare), .operation(.scan)])
  }

  @Test func aBluetoothErrorIsToldByItsCode() async throws {
    for (operation, step) in Self.writes {
      let bench = try Bench()
      await bench.port.set([.error(CentralError(.attribute(0x0E)))], for: operation)
      await #expect(throws: ProvisionerError.refused(step, .attribute(0x0E))) {
        try await connect(bench).value
      }
    }
  }

  @Test func aDeviceThatWantsAPairedLinkSaysSo() async throws {
    let bench = try Bench()
    await bench.port.set([.error(CentralError(.pairingRequired))], for: .write(.ssid))
    await #expect(throws: ProvisionerError.refused(.sendSSID, .pairingRequired)) {
      try await connect(bench).value
    }
  }

  @Test func aPairedLinkIsMadeBeforeAnythingIsWritten() async throws {
    let bench = try Bench(mode: .link)
    await bench.port.play([.end(.connected(WiFiLink(), saved: true))])
    #expect(try await connect(bench).value.last.value.state == .connected)
    let calls = await bench.port.calls
    let pairing = try #require(calls.firstIndex(of: .operation(.pair)))
    let write = try #require(calls.firstIndex(of: .operation(.write(.ssid))))
    #expect(pairing < write)
    #expect(bench.told.all.contains(.pairing))
    // From whoever asks without it.
    let open = try Bench()
    await open.port.play([.end(.connected(WiFiLink(), saved: true))])
    _ = try await connect(open).value
    #expect(await !open.port.calls.contains(.operation(.pair)))
  }

  @Test(
    arguments: [
      (.pairingFailed, .refused(.pair, .pairingFailed)),
      (.passkeyRequired, .refused(.pair, .passkeyRequired)),
      (.timedOut, .timedOut(.pair)),
      (.linkLost, .connectionLost(.pair, CentralError(.linkLost))),
    ] as [(CentralError.Code, ProvisionerError)])
  func aPairingThatFailsSaysWhy(code: CentralError.Code, error: ProvisionerError) async throws {
    let bench = try Bench(mode: .link)
    await bench.port.set([.error(CentralError(code))], for: .pair)
    await #expect(throws: error) { try await connect(bench).value }
    #expect(await !bench.port.calls.contains(.operation(.write(.ssid))))
    #expect(await bench.port.isClean)
  }

  @Test func aPairingThatHangsIsGivenUp() async throws {
    let bench = try Bench(mode: .link)
    await bench.port.set([.hang], for: .pair)
    let result = connect(bench)
    try await bench.reached(.pair)
    await bench.clock.elapse(Limits.standard.session.pairing)
    await #expect(throws: ProvisionerError.timedOut(.pair)) { try await result.value }
  }

  @Test func aStatusThatCannotBeReadIsAnError() async throws {
    let bench = try Bench()
    let result = connect(bench)
    try await eventually { await !bench.port.requests.isEmpty }
    await bench.port.notify([1, 2])
    let error = await #expect(throws: ProvisionerError.self) { try await result.value }
    guard case .malformed(.status, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(await bench.port.isClean)
  }

  // MARK: Links that break, time that passes

  private static let operations: [(FakeCentral.Operation, Step)] =
    [(.subscribe, .subscribe), (.read(.information), .readInformation)] + writes
    + [(.read(.status), .readStatus)]

  @Test func aLinkThatBreaksIsToldWithTheStep() async throws {
    for (operation, step) in Self.operations {
      let bench = try Bench()
      await bench.port.set([.linkLost], for: operation)
      await #expect(throws: ProvisionerError.connectionLost(step, CentralError(.linkLost))) {
        try await connect(bench).value
      }
      #expect(await bench.port.isClean)
    }
  }

  @Test func anAttemptBehindABrokenLinkIsFollowedOnANewOne() async throws {
    let bench = try Bench()
    let result = connect(bench)
    try await bench.attemptRuns()
    await bench.port.loseLink(CentralError(.linkLost))
    try await eventually { await bench.port.calls.count { $0 == .operation(.read(.status)) } == 2 }
    await bench.port.play(.step(.obtainingAddress))
    await bench.clock.elapse(.seconds(1))
    try await eventually { await bench.port.calls.count { $0 == .operation(.read(.status)) } == 3 }
    await bench.port.play(.end(.connected(link, saved: true)))
    await bench.clock.elapse(.seconds(1))
    let outcome = try await result.value
    #expect(outcome.last.value.state == .connected)
    #expect(outcome.before?.state == .obtainingAddress)
    #expect(bench.told.all.contains(.linkLost(CentralError(.linkLost))))
    #expect(await bench.port.isClean)
  }

  @Test func aDeviceThatDoesNotComeBackHasLostTheConnection() async throws {
    let bench = try Bench()
    let result = connect(bench)
    try await bench.attemptRuns()
    await bench.port.silence()
    await bench.port.loseLink(CentralError(.linkLost))
    await bench.clock.elapse(Limits.standard.secondSearch)
    await #expect(
      throws: ProvisionerError.connectionLost(.awaitOutcome, CentralError(.linkLost))
    ) { try await result.value }
    #expect(await bench.port.isClean)
  }

  @Test func anotherAttemptThanOursIsNoResult() async throws {
    let bench = try Bench()
    let result = connect(bench)
    try await bench.attemptRuns()
    await bench.port.supersede()
    await bench.port.loseLink(CentralError(.linkLost))
    await #expect(
      throws: ProvisionerError.connectionLost(.awaitOutcome, CentralError(.linkLost))
    ) { try await result.value }
  }

  @Test func cancellationEndsTheSearchForALostDevice() async throws {
    let bench = try Bench()
    let result = connect(bench)
    try await bench.attemptRuns()
    await bench.port.silence()
    await bench.port.loseLink(CentralError(.linkLost))
    try await eventually { await bench.port.calls.count { $0 == .operation(.scan) } == 2 }
    result.cancel()
    await #expect(throws: ProvisionerError.cancelled) { try await result.value }
    #expect(await bench.port.isClean)
  }

  @Test func aSilentDeviceLosesTheConnection() async throws {
    for (operation, step) in Self.operations {
      let bench = try Bench()
      await bench.port.set([.hang], for: operation)
      let result = connect(bench)
      try await bench.reached(operation)
      await bench.clock.elapse(Limits.standard.session.operation)
      let error = await #expect(throws: ProvisionerError.self) { try await result.value }
      guard case .connectionLost(step, let cause) = error else {
        Issue.record("\(operation): \(String(describing: error))")
        continue
      }
      #expect(cause.code == .timedOut)
      #expect(await bench.port.isClean)
    }
  }

  @Test func anAttemptThatTakesTooLongIsStopped() async throws {
    var limits = Limits.standard
    limits.session.attempt = .seconds(3)
    let bench = try Bench(limits: limits)
    let result = connect(bench)
    try await bench.attemptRuns()
    await bench.clock.elapse(.seconds(3))
    await #expect(throws: ProvisionerError.timedOut(.awaitOutcome)) { try await result.value }
    #expect(await bench.port.stops == 1)
    #expect(await bench.port.isClean)
  }

  @Test func theWholeTimeIsUpInTheAttempt() async throws {
    var limits = Limits.standard
    limits.total = .seconds(30)
    let bench = try Bench(limits: limits)
    let result = connect(bench)
    try await bench.attemptRuns()
    await bench.clock.elapse(.seconds(30))
    await #expect(throws: ProvisionerError.timedOut(.awaitOutcome)) { try await result.value }
    #expect(await bench.port.stops == 1)
    #expect(await bench.port.isClean)
  }

  // MARK: Cancellation

  @Test func cancellationDisconnectsAtEveryStep() async throws {
    let early: [FakeCentral.Operation] = [.prepare, .scan, .connect, .discover]
    for operation in early + Self.operations.map(\.0) {
      let bench = try Bench()
      await bench.port.set([.hang], for: operation)
      let result = connect(bench)
      try await bench.reached(operation)
      result.cancel()
      if operation == .write(.control) {
        // The device may have the request by now, and is told to stop once it has answered.
        await bench.clock.elapse(.seconds(2))
      }
      await #expect(throws: ProvisionerError.cancelled) { try await result.value }
      #expect(await bench.port.isClean, "\(operation)")
    }
  }

  @Test func cancellationStopsTheAttempt() async throws {
    let bench = try Bench()
    let result = connect(bench)
    try await bench.attemptRuns()
    result.cancel()
    await #expect(throws: ProvisionerError.cancelled) { try await result.value }
    #expect(await bench.port.stops == 1)
    #expect(await bench.port.isClean)
  }

  @Test func cancellationDoesNotWaitLongForTheDevice() async throws {
    let bench = try Bench()
    await bench.port.set([nil, .hang], for: .write(.control))
    let result = connect(bench)
    try await bench.attemptRuns()
    result.cancel()
    await bench.clock.elapse(.seconds(2))
    await #expect(throws: ProvisionerError.cancelled) { try await result.value }
    #expect(await bench.port.isClean)
  }
}
