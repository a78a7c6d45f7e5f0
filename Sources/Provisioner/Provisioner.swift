internal import ProvisioningProtocol

/// Does one command at a time on one device, through a ``CentralPort``.
///
/// Whatever happens on the way, also cancellation of the calling task, no link is left behind when
/// a method returns.
package actor Provisioner {
  /// Says what is going on; called on the executor, in order.
  package typealias Report = @Sendable (Progress) -> Void

  nonisolated let executor: any SerialExecutor & TaskExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  let port: any CentralPort
  let clock: any Clock<Duration>
  let limits: Limits
  let report: Report

  /// What is being done, for the error that ends it.
  private(set) var step = Step.search
  /// The devices heard by the command under way, by their addresses.
  var heard: [PeerAddress: DeviceSighting] = [:]

  /// Makes a provisioner that has done nothing yet.
  ///
  /// - Parameters:
  ///   - clock: measures the limits, and wakes the executor.
  ///   - executor: where the port's work is done, so that calls to it need no hop.
  package init(
    port: any CentralPort, clock: any Clock<Duration>,
    executor: any SerialExecutor & TaskExecutor, limits: Limits = .standard,
    report: @escaping Report = { _ in }
  ) {
    self.port = port
    self.clock = clock
    self.executor = executor
    self.limits = limits
    self.report = report
  }

  /// Forgets the command before.
  func start() {
    step = .search
    heard = [:]
  }

  /// Notes what is being done.
  ///
  /// Once the device tries to join, all the rest serves to hear of that.
  func enter(_ step: Step) {
    if self.step != .awaitOutcome { self.step = step }
  }

  /// Runs `body`, but no longer than `limit`; nil is for ever.
  ///
  /// - Throws: what `body` throws, or ``TimeLimit`` when the time has passed.
  func within<Value: Sendable>(
    _ limit: Duration?, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let limit else { return try await body() }
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await body() }
      group.addTask { [clock] in
        try await clock.sleep(for: limit)
        throw TimeLimit()
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }

  /// Runs what the device has to answer; one that does not fails as if the link had.
  func answered<Value: Sendable>(
    within limit: Duration, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    do {
      return try await within(limit, body)
    } catch is TimeLimit {
      throw CentralError(.timedOut, "the device did not answer")
    }
  }

  /// What ``within(_:_:)`` throws.
  struct TimeLimit: Error {}

  /// The error that ends a command, from whatever stopped it.
  func failure(_ error: any Error) -> ProvisionerError {
    // Whatever a port throws in a cancelled task, it is the cancellation that ends the command.
    if Task.isCancelled { return .cancelled }
    switch error {
    case let error as ProvisionerError: return error
    case let error as CentralError: return failure(error)
    case is TimeLimit: return .timedOut(step)
    default: return .cancelled
    }
  }

  private func failure(_ error: CentralError) -> ProvisionerError {
    switch error.code {
    case .adapter(let problem): return .adapter(problem)
    case .attribute(let code):
      let refusal = ApplicationError(rawValue: code).map { Refusal.reason($0.reason) }
      return .refused(step, refusal ?? .attribute(code))
    case .pairingRequired: return .refused(step, .pairingRequired)
    case .pairingFailed: return .refused(step, .pairingFailed)
    case .passkeyRequired: return .refused(step, .passkeyRequired)
    case .transient, .unknownPeer, .linkLost, .timedOut, .failed:
      return step == .connect ? .connectionFailed(error) : .connectionLost(step, error)
    }
  }
}
