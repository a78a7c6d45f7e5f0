import Diagnostics
import ProvisioningAgent
import ProvisioningProtocol
import Synchronization
import Testing

/// An agent between fakes; each method is one turn of its loop, with all that follows from it.
final class Harness {
  let executor = ManualExecutor()
  let clock = FakeClock()
  let peripheral = FakePeripheral()
  let station = FakeStation()
  let windows = FakeWindowStore()
  let observer = FakeObserver()
  let lines: Lines
  let agent: Agent

  final class Lines: Sendable {
    private let written = Mutex<[String]>([])
    var all: [String] { written.withLock { $0 } }
    func append(_ line: [UInt8]) {
      written.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
    }
    func count(of text: String) -> Int { all.count { $0.contains(text) } }
  }

  /// Makes an agent that advertises and whose Wi-Fi can be used, unless told otherwise.
  init(
    mode: SecurityMode = .open, code: CodeCheck? = nil, indicator: FakeIndicator? = nil,
    policy: OpeningPolicy = OpeningPolicy(mode: .always),
    memory: ProvisioningWindow.Memory? = nil, bluetooth: PeripheralState? = .advertising,
    wifi: StationState? = StationState()
  ) throws {
    let id = try #require(DeviceID("0123456789ab"))
    let lines = Lines()
    self.lines = lines
    let now = ContinuousClock.now
    agent = try Agent(
      device: DeviceDescription(
        id: id, name: "Board", mode: mode, securities: [.open, .wpaPSK]),
      code: code, indicator: indicator, policy: policy, memory: memory, windowStore: windows,
      peripheral: peripheral, station: station, clock: clock, executor: executor,
      log: Log(threshold: .debug, format: .plain, now: { now }) { lines.append($0) },
      notifier: ServiceNotifier(socketPath: nil))
    let observer = observer
    executor.run {
      agent.assumeIsolated {
        $0.observe(observer)
        $0.start()
      }
    }
    if let bluetooth { self.bluetooth(bluetooth) }
    if let wifi { self.wifi(wifi) }
  }

  func bluetooth(_ state: PeripheralState) {
    executor.run { peripheral.server?.peripheralDidChange(state) }
  }

  func wifi(_ state: StationState) { executor.run { station.change(state) } }
  func reach(_ step: AttemptStep) { executor.run { station.advance(.reached(step)) } }
  func fail(_ reason: Reason) {
    executor.run { station.advance(.failing(reason, AttemptEvidence(summary: "failing"))) }
  }
  func finish(_ result: AttemptResult) {
    executor.run { station.finish(JoinResult(result, evidence: AttemptEvidence(summary: "seen"))) }
  }
  func wait(_ seconds: Int) { clock.advance(by: .seconds(seconds), on: executor) }

  /// Writes as a central does; returns the error it gets.
  @discardableResult
  func write(
    _ value: String, to characteristic: ProvisioningCharacteristic, from central: String = "A"
  ) -> ApplicationError? {
    write(Array(value.utf8), to: characteristic, from: central)
  }

  @discardableResult
  func write(
    _ value: [UInt8], to characteristic: ProvisioningCharacteristic, from central: String = "A"
  ) -> ApplicationError? {
    executor.run {
      do throws(ApplicationError) {
        try peripheral.server?.write(
          value, to: characteristic, from: CentralID(rawValue: central))
        return nil
      } catch {
        return error
      }
    }
  }

  @discardableResult
  func control(_ opcode: ControlOpcode, from central: String = "A") -> ApplicationError? {
    write([opcode.rawValue], to: .control, from: central)
  }

  /// Writes a network, its password, and connect; returns the first error.
  @discardableResult
  func provision(_ ssid: String, _ password: String, from central: String = "A")
    -> ApplicationError?
  {
    write(ssid, to: .ssid, from: central) ?? write(password, to: .password, from: central)
      ?? control(.connect, from: central)
  }

  func connect() { executor.run { peripheral.server?.centralDidConnect() } }

  func disconnect(_ central: String = "A") {
    executor.run { peripheral.server?.centralDidDisconnect(CentralID(rawValue: central)) }
  }

  func read(
    _ characteristic: ProvisioningCharacteristic, by central: String = "A"
  ) -> [UInt8] {
    executor.run {
      peripheral.server?.value(of: characteristic, for: CentralID(rawValue: central)) ?? []
    }
  }

  func status(for central: String = "A") throws -> ProvisioningStatus {
    try ProvisioningStatus(decoding: read(.status, by: central))
  }

  /// Begins to stop the agent; the task ends when it has stopped.
  func stop() -> Task<Void, Never> {
    let agent = agent
    let stopping = Task(executorPreference: executor) { await agent.stop() }
    executor.run {}
    return stopping
  }
}
