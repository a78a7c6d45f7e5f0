import Dispatch
import ProvisioningProtocol
import Synchronization
import Testing

@testable import Provisioner

/// An advertisement of a device, or of whatever the service data says.
func advertisement(
  id: UInt8 = 1, address: UInt8 = 1, name: String? = "Kitchen",
  state: AdvertisedState = .notProvisioned,
  flags: ProvisioningAdvertisement.Flags = .plainAccepted, serviceData: [UInt8]? = nil
) throws -> Advertisement {
  let deviceID = try #require(DeviceID(bytes: [0, 0, 0, 0, 0, id]))
  let own = ProvisioningAdvertisement(state: state, flags: flags, deviceID: deviceID)
  return Advertisement(
    address: try #require(PeerAddress("AA:BB:CC:DD:EE:0\(address)")), name: name, rssi: -40,
    serviceData: serviceData ?? own.encoded)
}

/// Waits until the condition holds, or the test's time is up.
func eventually(_ condition: () async -> Bool) async throws {
  while await !condition() { try await Task.sleep(for: .milliseconds(1)) }
}

/// What a provisioner told, in order.
final class Told: Sendable {
  private let list = Mutex<[Progress]>([])
  var all: [Progress] { list.withLock { $0 } }
  func append(_ progress: Progress) { list.withLock { $0.append(progress) } }
}

/// A provisioner with all that it needs, on a queue of its own.
struct Bench {
  let port: FakeCentral
  let clock = TestClock()
  let told = Told()
  let provisioner: Provisioner

  /// With a code the device takes nothing else than its proof.
  init(
    _ advertisements: Advertisement..., mode: SecurityMode = .open, code: DeviceCode? = nil,
    limits: Limits = .standard
  ) throws {
    let heard = advertisements.isEmpty ? [try advertisement()] : advertisements
    let information = DeviceInformation(
      deviceID: try #require(DeviceID("000000000001")), name: "Kitchen",
      profiles: code != nil ? [.secure] : mode == .link ? [.plainLink] : [.plain],
      securities: [.open, .wpaPSK],
      stretching: code?.stretching)
    port = FakeCentral(
      heard, information: try information.encoded(), mode: code == nil ? mode : .code,
      setup: try code?.setup(for: information))
    provisioner = Provisioner(
      port: port, clock: clock, executor: QueueExecutor(), limits: limits
    ) { [told] in told.append($0) }
  }

  /// Waits until the provisioner has heard so many devices.
  func heard(_ count: Int) async throws {
    try await eventually { await provisioner.heard.count >= count }
  }
}

extension Bench {
  /// Waits until the provisioner waits for the result of an attempt.
  func attemptRuns() async throws {
    try await eventually { await provisioner.step == .awaitOutcome }
  }

  /// Waits until the radio was asked for an operation.
  func reached(_ operation: FakeCentral.Operation) async throws {
    try await eventually { await port.calls.contains(.operation(operation)) }
  }
}

extension DeviceName {
  static let kitchen = DeviceName("000000000001") ?? .name("")
}

/// An executor of its own, so that nothing works by chance on the test's.
private final class QueueExecutor: SerialExecutor, TaskExecutor {
  private let queue = DispatchQueue(label: "provisioner")

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    queue.async {
      unowned.runSynchronously(
        isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }
}
