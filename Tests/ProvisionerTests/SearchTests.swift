import Provisioner
import ProvisioningProtocol
import Testing

@testable import Provisioner

@Suite(.timeLimit(.minutes(1)))
struct SearchTests {
  @Test func scanTellsEachDeviceOnceAndItsChanges() async throws {
    let first = try advertisement(id: 1, address: 1)
    let second = try advertisement(id: 2, address: 2, name: nil)
    let bench = try Bench(first, second, first)
    let seen = Told()
    let result = Task {
      try await bench.provisioner.scan(for: .seconds(10)) { seen.append(.found($0)) }
    }
    try await bench.heard(2)
    let named = try advertisement(id: 2, address: 2, name: "Cellar", state: .connected)
    await bench.port.hear(named)
    try await eventually { seen.all.count == 3 }
    await bench.clock.elapse(.seconds(10))
    let devices = try await result.value
    #expect(
      seen.all == [first, second, named].compactMap(DeviceSighting.init).map(Progress.found))
    #expect(devices.map(\.name) == ["Kitchen", "Cellar"])
  }

  @Test(arguments: [
    [], [0x57], [0x57, 0x50], [0x57, 0x50, 1, 0, 1, 2, 3, 4, 5],
    [0x58, 0x50, 1, 0, 1, 2, 3, 4, 5, 6],
    [0x57, 0x50, 2, 0, 1, 2, 3, 4, 5, 6], Array(repeating: 0xFF, count: 255),
  ])
  func othersUseOfTheServiceIsIgnored(_ serviceData: [UInt8]) async throws {
    let bench = try Bench(try advertisement(address: 2, serviceData: serviceData))
    let result = Task {
      try await bench.provisioner.scan(for: .seconds(10)) { _ in
        Issue.record("a device was seen")
      }
    }
    await bench.clock.elapse(.seconds(10))
    #expect(try await result.value.isEmpty)
  }

  @Test func anIDIsTakenAtOnce() async throws {
    let bench = try Bench(try advertisement(id: 2, address: 2), try advertisement())
    _ = try await bench.provisioner.status(of: .kitchen)
    #expect(await bench.port.calls.contains(.disconnect(try advertisement().address)))
  }

  @Test func aNameIsTakenWhenNobodyElseBearsIt() async throws {
    let bench = try Bench(try advertisement(id: 2, address: 2, name: "Cellar"), try advertisement())
    let result = Task { try await bench.provisioner.status(of: .name("Kitchen")) }
    await bench.clock.elapse(Limits.standard.nameSettling)
    #expect(try await result.value.state == .idle)
  }

  @Test func aNameOfTwoDevicesIsRefusedWithBoth() async throws {
    let both = [try advertisement(id: 1, address: 1), try advertisement(id: 2, address: 2)]
    let bench = try Bench(both[0], both[1])
    let result = Task { try await bench.provisioner.status(of: .name("Kitchen")) }
    try await bench.heard(2)
    await bench.clock.elapse(Limits.standard.nameSettling)
    await #expect(
      throws: ProvisionerError.ambiguous(
        .name("Kitchen"), candidates: both.compactMap(DeviceSighting.init))
    ) { try await result.value }
    #expect(await !bench.port.calls.contains(.operation(.connect)))
  }

  @Test func whatWasNotHeardIsNamedBesideWhatWas() async throws {
    let other = try advertisement(id: 2, address: 2)
    let bench = try Bench(other)
    let result = Task { try await bench.provisioner.status(of: .kitchen) }
    try await bench.heard(1)
    await bench.clock.elapse(Limits.standard.search)
    await #expect(
      throws: ProvisionerError.deviceNotFound(
        .kitchen, others: [other].compactMap(DeviceSighting.init))
    ) { try await result.value }
  }

  @Test func theWholeTimeIsUpInTheSearch() async throws {
    var limits = Limits.standard
    limits.search = .seconds(60)
    limits.total = .seconds(30)
    let bench = try Bench(try advertisement(id: 2, address: 2), limits: limits)
    let result = Task { try await bench.provisioner.status(of: .kitchen) }
    try await bench.heard(1)
    await bench.clock.elapse(.seconds(30))
    let error = await #expect(throws: ProvisionerError.self) { try await result.value }
    guard case .deviceNotFound = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [
    AdapterProblem.noBus("no socket"), .noService, .noAdapter(name: "hci7"), .poweredOff, .blocked,
    .unsupported, .notPermitted,
  ])
  func withoutARadioTheReasonIsTold(_ problem: AdapterProblem) async throws {
    let bench = try Bench()
    let error = CentralError(.adapter(problem))
    await bench.port.set([.error(error), .error(error)], for: .prepare)
    await #expect(throws: ProvisionerError.adapter(problem)) {
      try await bench.provisioner.status(of: .kitchen)
    }
    await #expect(throws: ProvisionerError.adapter(problem)) {
      try await bench.provisioner.scan(for: .seconds(10)) { _ in }
    }
  }

  @Test func aRadioThatGoesAwayEndsTheScan() async throws {
    let bench = try Bench()
    let result = Task { try await bench.provisioner.scan(for: .seconds(10)) { _ in } }
    try await bench.heard(1)
    await bench.port.removeAdapter(.poweredOff)
    await #expect(throws: ProvisionerError.adapter(.poweredOff)) { try await result.value }
  }
}
