import CBOR
import ProvisioningProtocol
import Testing

@testable import Provisioner

@Suite(.timeLimit(.minutes(1)))
struct QueryTests {
  private let peer: PeerAddress

  init() throws { peer = try advertisement().address }

  @Test func informationIsRead() async throws {
    let information = DeviceInformation(
      deviceID: try #require(DeviceID("000000000001")), name: "Kitchen", model: "Sensor 3",
      profiles: [.plain], securities: [.open, .wpaPSK], features: [.identify])
    let bench = try Bench()
    await bench.port.set(information: try information.encoded())
    #expect(try await bench.provisioner.information(of: .kitchen) == information)
    #expect(await bench.port.isClean)
    #expect(
      await bench.port.calls == [
        .operation(.prepare), .operation(.scan), .operation(.connect), .operation(.discover),
        .operation(.read(.information)), .disconnect(peer),
      ])
  }

  @Test(arguments: [0, 1, 501, 10_000])
  func informationOfBadLengthIsAnError(_ count: Int) async throws {
    try await expectMalformed(Array(repeating: 0, count: count))
  }

  @Test func informationNestedDeeplyIsAnError() async throws {
    // 1,000 arrays of one item each, cut to what a device can send, and in full.
    try await expectMalformed(Array(repeating: 0x81, count: 500))
    try await expectMalformed(Array(repeating: 0x81, count: 1_000) + [0x00])
  }

  @Test func informationWithoutWhatMustBeThereIsAnError() async throws {
    try await expectMalformed([0xA0])
    try await expectMalformed([0x80])
  }

  private func expectMalformed(_ bytes: [UInt8]) async throws {
    let bench = try Bench()
    await bench.port.set(information: bytes)
    let error = await #expect(throws: ProvisionerError.self) {
      try await bench.provisioner.information(of: .kitchen)
    }
    guard case .malformed(.information, let words) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!words.isEmpty)
    #expect(await bench.port.isClean)
  }

  @Test func passingFailuresAreTriedAgain() async throws {
    let bench = try Bench()
    let error = CentralError(.transient, "le-connection-abort-by-local")
    await bench.port.set([.error(error), .linkLost], for: .connect)
    let result = Task { try await bench.provisioner.status(of: .kitchen) }
    await bench.clock.elapse(.milliseconds(500))
    await bench.clock.elapse(.seconds(1))
    #expect(try await result.value.state == .idle)
    #expect(bench.told.all.contains(.retrying(error)))
    #expect(bench.told.all.contains(.connecting(attempt: 3)))
    #expect(await bench.port.isClean)
  }

  @Test func theThirdFailureIsTheLast() async throws {
    let bench = try Bench()
    let error = CentralError(.transient, "le-connection-timeout")
    await bench.port.set([.error(error), .error(error), .error(error)], for: .connect)
    let result = Task { try await bench.provisioner.status(of: .kitchen) }
    await bench.clock.elapse(.milliseconds(500))
    await bench.clock.elapse(.seconds(1))
    await #expect(throws: ProvisionerError.connectionFailed(error)) { try await result.value }
    #expect(await bench.port.isClean)
  }

  @Test func aFailureThatStaysIsNotTriedAgain() async throws {
    let bench = try Bench()
    let error = CentralError(.failed, "le-connection-refused")
    await bench.port.set([.error(error)], for: .connect)
    await #expect(throws: ProvisionerError.connectionFailed(error)) {
      try await bench.provisioner.status(of: .kitchen)
    }
    #expect(await bench.port.isClean)
  }

  @Test func aDeviceThatTheServiceForgotIsSearchedAgain() async throws {
    let bench = try Bench()
    await bench.port.set([.error(CentralError(.unknownPeer))], for: .connect)
    #expect(try await bench.provisioner.status(of: .kitchen).state == .idle)
    #expect(await bench.port.calls.count(where: { $0 == .operation(.scan) }) == 2)
  }

  @Test func aStaleCacheIsForgottenOnce() async throws {
    let bench = try Bench()
    await bench.port.offer([[.ssid], [.status]])
    #expect(try await bench.provisioner.status(of: .kitchen).state == .idle)
    #expect(
      await bench.port.calls == [
        .operation(.prepare), .operation(.scan), .operation(.connect), .operation(.discover),
        .disconnect(peer), .forget(peer),
        .operation(.scan), .operation(.connect), .operation(.discover),
        .operation(.read(.status)), .disconnect(peer),
      ])
  }

  @Test func whatStaysMissingIsNamed() async throws {
    let bench = try Bench()
    await bench.port.offer([[.ssid], [.ssid], [.ssid]])
    await #expect(throws: ProvisionerError.incomplete(missing: [.status])) {
      try await bench.provisioner.status(of: .kitchen)
    }
    #expect(await bench.port.calls.count(where: { $0 == .forget(peer) }) == 1)
    #expect(await bench.port.isClean)
  }

  @Test func aConnectionThatHangsFails() async throws {
    var limits = Limits.standard
    // Not as long as the search, so that it is this that elapses.
    limits.connection = .seconds(21)
    let bench = try Bench(limits: limits)
    await bench.port.set([.hang], for: .connect)
    let result = Task { try await bench.provisioner.status(of: .kitchen) }
    await bench.clock.elapse(limits.connection)
    let error = await #expect(throws: ProvisionerError.self) { try await result.value }
    guard case .connectionFailed(let cause) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.code == .timedOut)
    #expect(await bench.port.isClean)
  }

  @Test func theWholeTimeIsUpWhileConnecting() async throws {
    var limits = Limits.standard
    limits.total = .seconds(5)
    let bench = try Bench(limits: limits)
    await bench.port.set([.hang], for: .connect)
    let result = Task { try await bench.provisioner.status(of: .kitchen) }
    try await bench.reached(.connect)
    await bench.clock.elapse(.seconds(5))
    await #expect(throws: ProvisionerError.timedOut(.connect)) { try await result.value }
    #expect(await bench.port.isClean)
  }

  @Test func aReadThatHangsLosesTheConnection() async throws {
    let bench = try Bench()
    await bench.port.set([.hang], for: .read(.status))
    let result = Task { try await bench.provisioner.status(of: .kitchen) }
    await bench.clock.elapse(Limits.standard.session.operation)
    let error = await #expect(throws: ProvisionerError.self) { try await result.value }
    guard case .connectionLost(.readStatus, let cause) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.code == .timedOut)
    #expect(await bench.port.isClean)
  }
}
