internal import Cryptography
internal import ProvisioningProtocol

/// Stretches a setup code beside all else, for it takes as long as connecting does.
struct Stretching: Sendable {
  private let code: SetupCode
  private let device: DeviceID
  private let parameters: CodeStretching
  private let task: Task<SPAKE2Plus.Credentials, any Error>

  /// Begins as devices usually ask for, before this one was asked.
  init(_ code: SetupCode, for device: DeviceID) throws(CryptographyError) {
    self.init(code, for: device, by: try CodeStretching(usualFor: device))
  }

  private init(_ code: SetupCode, for device: DeviceID, by parameters: CodeStretching) {
    self.code = code
    self.device = device
    self.parameters = parameters
    // Not on the loop's thread, which has a link to make meanwhile.
    task = Task.detached { try code.credentials(for: device, stretching: parameters) }
  }

  /// Goes on where the device asks for the same, or begins anew.
  func confirmed(by asked: CodeStretching) -> Stretching {
    asked == parameters ? self : Stretching(code, for: device, by: asked)
  }

  /// What comes of it; waits for it.
  var credentials: SPAKE2Plus.Credentials {
    get async throws { try await task.value }
  }
}
