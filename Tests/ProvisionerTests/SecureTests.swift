import ProvisioningProtocol
import Secrets
import Testing

@testable import Provisioner

@Suite(.timeLimit(.minutes(1)))
struct SecureTests {
  private let ssid: SSID
  private let password: WiFiPassword
  private let link: WiFiLink
  private let code: DeviceCode
  private let bench: Bench

  init() throws {
    ssid = try SSID(Array("Home".utf8))
    password = try WiFiPassword(SecretBytes("correct horse".utf8))
    link = WiFiLink(ipv4: IPv4Address("192.0.2.7"), rssi: -50, connectivity: .full)
    code = try DeviceCode()
    bench = try Bench(code: code)
  }

  private func connect(_ access: Access? = nil) async throws -> Provisioner.Outcome {
    try await bench.provisioner.connect(
      .kitchen, to: NetworkDescription(ssid: ssid, password: password),
      access: access ?? code.access)
  }

  @Test func theWholeJob() async throws {
    await bench.port.play([.step(.associating), .end(.connected(link, saved: true))])
    let outcome = try await connect()
    #expect(outcome.last.value.state == .connected)
    #expect(outcome.last.value.ipv4 == link.ipv4)
    #expect(outcome.before?.state == .associating)
    #expect(
      await bench.port.requests == [
        ConnectRequest(
          attempt: 1, network: NetworkDescription(ssid: ssid, password: password))
      ])
    let calls = await bench.port.calls
    #expect(!calls.contains(.operation(.write(.ssid))))
    #expect(!calls.contains(.operation(.write(.password))))
    #expect(bench.told.all.contains(.secured))
    #expect(await bench.port.isClean)
  }

  @Test func aFailureComesWithItsReason() async throws {
    await bench.port.play([.end(.failed(.wrongPassword))])
    let outcome = try await connect()
    #expect(outcome.last.value.reason == .wrongPassword)
  }

  @Test func aFailureIsToldAtOnceAndThenWhereTheDeviceIs() async throws {
    await bench.port.play([.step(.authenticating), .failing(.wrongPassword)])
    let result = Task { try await connect() }
    try await eventually {
      bench.told.all.contains {
        if case .status(let status) = $0 { status.value.isReturning } else { false }
      }
    }
    await bench.port.play(.end(.rolledBack(.wrongPassword, WiFiLink(ssid: ssid))))
    let outcome = try await result.value
    #expect(outcome.last.value.state == .rolledBack && outcome.last.ssid == ssid)
    #expect(outcome.last.evidence?.summary == "seen")
    #expect(outcome.before?.state == .authenticating)
    #expect(await bench.port.isClean)
  }

  @Test func aRiskIsToldBack() async throws {
    await bench.port.play([.end(.connected(link, saved: true))])
    let network = NetworkDescription(
      ssid: ssid,
      enterprise: EnterpriseCredentials(
        method: .peap, identity: "someone", password: password, skipsValidation: true))
    _ = try await bench.provisioner.connect(.kitchen, to: network, access: code.access)
    #expect(bench.told.all.contains(.risks([.serverNotValidated])))
    #expect(await bench.port.requests.map(\.network) == [network])
  }

  @Test func aWrongCodeIsTold() async throws {
    for left in [4, 3, 2, 1, 0] {
      await #expect(throws: ProvisionerError.wrongCode(guessesLeft: left)) {
        try await connect(.code(GivenCode(code: code.wrong, deviceID: nil)))
      }
      #expect(await bench.port.isClean)
    }
    await #expect(throws: ProvisionerError.lockedOut(seconds: 30)) { try await connect() }
    #expect(await bench.port.requests.isEmpty)
  }

  @Test func changedInformationIsNoRightCode() async throws {
    var changed = DeviceInformation(
      deviceID: try #require(DeviceID("000000000001")), name: "Kitchen",
      profiles: [.plain, .secure], stretching: code.stretching)
    await bench.port.set(information: try changed.encoded())
    await #expect(throws: ProvisionerError.wrongCode(guessesLeft: 4)) { try await connect() }
    // Nor is another device taken for the one that was meant.
    changed.deviceID = try #require(DeviceID("000000000002"))
    await bench.port.set(information: try changed.encoded())
    await #expect(throws: ProvisionerError.self) { try await connect() }
    #expect(!(await bench.port.calls.contains(.operation(.write(.ssid)))))
  }

  /// Neither a plain device nor somebody who plays one gets the password without being asked for.
  @Test func thereIsNoFallingBackToPlainWrites() async throws {
    let bench = try Bench()
    await #expect(throws: ProvisionerError.insecureOnly) {
      try await bench.provisioner.connect(
        .kitchen, to: NetworkDescription(ssid: ssid, password: password), access: code.access)
    }
    let calls = await bench.port.calls
    for characteristic in [ProvisioningCharacteristic.ssid, .password, .control, .session] {
      #expect(!calls.contains(.operation(.write(characteristic))))
    }
    #expect(await bench.port.isClean)
  }

  @Test func aDeviceMayHaveASaltOfItsOwn() async throws {
    let code = try DeviceCode(salt: [UInt8](0..<32))
    let bench = try Bench(code: code)
    await bench.port.play([.end(.connected(link, saved: true))])
    let outcome = try await bench.provisioner.connect(
      .kitchen, to: NetworkDescription(ssid: ssid, password: password), access: code.access)
    #expect(outcome.last.value.state == .connected)
    #expect(await bench.port.isClean)
  }

  @Test func noOtherDeviceIsAskedThanTheLabels() async throws {
    let labelled = try #require(DeviceID("0123456789ab"))
    await #expect(throws: ProvisionerError.codeOfAnother(labelled)) {
      try await connect(.code(GivenCode(code: code.right, deviceID: labelled)))
    }
    #expect(!(await bench.port.calls.contains(.operation(.connect))))
    let own = try #require(DeviceID("000000000001"))
    await bench.port.play([.end(.connected(link, saved: true))])
    _ = try await connect(.code(GivenCode(code: code.right, deviceID: own)))
    #expect(await bench.port.isClean)
  }

  @Test func aBusyDeviceRefuses() async throws {
    await bench.port.set(
      [.error(CentralError(.attribute(ApplicationError.busy.rawValue)))],
      for: .write(.session))
    await #expect(throws: ProvisionerError.refused(.handshake, .reason(.busy))) {
      try await connect()
    }
  }

  @Test func aLinkThatBreaksIsTold() async throws {
    await bench.port.set([nil, .linkLost], for: .write(.session))
    await #expect(throws: ProvisionerError.connectionLost(.handshake, CentralError(.linkLost))) {
      try await connect()
    }
    #expect(await bench.port.isClean)
  }

  /// Over a new link only the device itself may say what became of the attempt.
  @Test func theResultComesOverANewLink() async throws {
    await bench.port.play([.step(.associating)])
    let outcome = Task { try await connect() }
    try await eventually {
      bench.told.all.count { if case .status = $0 { true } else { false } } > 0
    }
    await bench.port.loseLink(CentralError(.linkLost))
    await bench.port.finish(.connected(link, saved: true), attempt: 1)
    #expect(try await outcome.value.last.value.state == .connected)
    #expect(bench.told.all.count { $0 == .secured } == 2)
    #expect(await bench.port.isClean)
  }

  @Test func cancellingStopsTheDevice() async throws {
    await bench.port.play([.step(.associating)])
    let outcome = Task { try await connect() }
    try await eventually {
      bench.told.all.count { if case .status = $0 { true } else { false } } > 0
    }
    outcome.cancel()
    await #expect(throws: ProvisionerError.cancelled) { try await outcome.value }
    #expect(await bench.port.stops == 1)
    #expect(await bench.port.isClean)
  }

  @Test func theOtherRequests() async throws {
    let networks = try (0..<20).map {
      VisibleNetwork(
        ssid: try SSID([UInt8($0)]), security: .open, rssi: -70, accessPointCount: 1)
    }
    await bench.port.set(networks: VisibleNetworks(networks: networks, hiddenCount: 2))
    let saved = networks.map {
      SavedNetwork(
        ssid: $0.ssid, security: .open, isInUse: false, connectsAutomatically: true)
    }
    await bench.port.set(saved: saved)
    let given = code.given
    let provisioner = bench.provisioner
    #expect(try await provisioner.networks(of: .kitchen, given).networks == networks)
    #expect(try await provisioner.networks(of: .kitchen, given).hiddenCount == 2)
    #expect(try await provisioner.details(of: .kitchen, given).methods.contains(.scan))
    #expect(try await provisioner.status(of: .kitchen, given).value.state == .idle)
    #expect(try await provisioner.savedNetworks(of: .kitchen, given) == saved)
    #expect(try await provisioner.forget(ssid, on: .kitchen, given) == 2)
    try await provisioner.cancel(.kitchen, given)
    let refused = ProvisionerError.refused(.request, .failure(RequestFailure(.unsupported)))
    await #expect(throws: refused) { try await provisioner.identify(.kitchen, given) }
    #expect(await bench.port.isClean)
  }
}
