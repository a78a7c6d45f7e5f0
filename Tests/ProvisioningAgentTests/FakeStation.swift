import ProvisioningAgent
import ProvisioningProtocol
import Secrets
import Synchronization

/// Wi-Fi that does what a test says, and a list of what was asked of it.
final class FakeStation: StationPort {
  enum Call: Equatable {
    case start
    case prepare
    case release
    case join(ssid: [UInt8], password: [UInt8])
    case cancelled
    case scan
    case list
    case forget(ssid: [UInt8])
  }
  private struct State {
    var calls: [Call] = []
    var changed: (@Sendable (StationState) -> Void)?
    var progress: (@Sendable (AttemptProgress) -> Void)?
    var join: CheckedContinuation<JoinResult, Never>?
    weak var password: SecretBytes?
    var networks: Result<VisibleNetworks, RequestFailure> = .success(VisibleNetworks())
    var saved: Result<[SavedNetwork], RequestFailure> = .success([])
    var forgotten: Result<Int, RequestFailure> = .success(1)
  }
  private let state = Mutex(State())

  var calls: [Call] { state.withLock { $0.calls } }
  /// Whether anybody still holds the password of the last attempt.
  var passwordLives: Bool { state.withLock { $0.password != nil } }
  var isJoining: Bool { state.withLock { $0.join != nil } }

  func start(changed: @escaping @Sendable (StationState) -> Void) {
    state.withLock {
      $0.calls.append(.start)
      $0.changed = changed
    }
  }

  func prepare() { state.withLock { $0.calls.append(.prepare) } }
  func release() { state.withLock { $0.calls.append(.release) } }

  func join(
    _ request: ConnectRequest, progress: @escaping @Sendable (AttemptProgress) -> Void
  ) async -> JoinResult {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock {
          $0.calls.append(
            .join(
              ssid: request.network.ssid.bytes, password: Array(request.network.password.bytes)))
          $0.password = request.network.password.bytes
          $0.progress = progress
          $0.join = continuation
        }
      }
    } onCancel: {
      state.withLock { $0.calls.append(.cancelled) }
    }
  }

  func scan() async -> Result<VisibleNetworks, RequestFailure> {
    state.withLock {
      $0.calls.append(.scan)
      return $0.networks
    }
  }

  func savedNetworks() async -> Result<[SavedNetwork], RequestFailure> {
    state.withLock {
      $0.calls.append(.list)
      return $0.saved
    }
  }

  func forget(_ ssid: SSID) async -> Result<Int, RequestFailure> {
    state.withLock {
      $0.calls.append(.forget(ssid: ssid.bytes))
      return $0.forgotten
    }
  }

  /// What the next scans find.
  func show(_ networks: Result<VisibleNetworks, RequestFailure>) {
    state.withLock { $0.networks = networks }
  }

  /// What is kept from now on.
  func keep(_ networks: Result<[SavedNetwork], RequestFailure>) {
    state.withLock { $0.saved = networks }
  }

  /// What becomes of forgetting from now on.
  func forget(as result: Result<Int, RequestFailure>) {
    state.withLock { $0.forgotten = result }
  }

  // What the test says; call these inside `ManualExecutor.run`.

  func change(_ new: StationState) { state.withLock { $0.changed }?(new) }
  func advance(_ progress: AttemptProgress) { state.withLock { $0.progress }?(progress) }

  /// Ends the attempt.
  func finish(_ result: JoinResult) {
    let waiting = state.withLock { state in
      defer {
        state.join = nil
        state.progress = nil
      }
      return state.join
    }
    waiting?.resume(returning: result)
  }
}
