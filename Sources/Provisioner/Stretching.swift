internal import Cryptography
internal import ProvisioningProtocol
internal import Synchronization

/// Stretches a setup code beside all else, for it takes as long as connecting does.
final class Stretching: Sendable {
  private typealias Work = Task<SPAKE2Plus.Credentials, any Error>

  private let code: SetupCode
  /// For each device and way that was asked for.
  private let works = Mutex<[Goal: Work]>([:])

  private struct Goal: Hashable {
    let device: DeviceID
    let parameters: CodeStretching
  }

  init(_ code: SetupCode) { self.code = code }

  /// Begins as devices usually ask for, before this one was asked.
  func begin(for device: DeviceID) {
    // Otherwise it begins when the device has been asked, and says what is wrong.
    guard let usual = try? CodeStretching(usualFor: device) else { return }
    _ = work(for: device, by: usual)
  }

  /// What comes of the way that the device asks for; waits for it.
  func credentials(
    for device: DeviceID, by asked: CodeStretching
  ) async throws -> SPAKE2Plus.Credentials {
    try await work(for: device, by: asked).value
  }

  /// Waits for what still runs: it has the code, and must not be at it when the program ends.
  func end() async {
    for work in works.withLock({ Array($0.values) }) { _ = await work.result }
  }

  private func work(for device: DeviceID, by parameters: CodeStretching) -> Work {
    works.withLock { [code] works in
      let goal = Goal(device: device, parameters: parameters)
      if let work = works[goal] { return work }
      // Not on the loop's thread, which has a link to make meanwhile.
      let work = Task.detached { try code.credentials(for: device, stretching: parameters) }
      works[goal] = work
      return work
    }
  }
}
