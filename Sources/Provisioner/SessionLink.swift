internal import ProvisioningProtocol
internal import Secrets

/// The hands of a session: does on the link what the session asks for, and puts what comes of it
/// into the inbox.
struct SessionLink {
  typealias Inbox = AsyncStream<SessionEvent>.Continuation

  private let port: any CentralPort
  let peer: PeerAddress
  private let executor: any TaskExecutor
  private let stopwatch: Stopwatch
  private let inbox: Inbox
  private var operations: [Task<Void, Never>] = []
  private var timer: Task<Void, Never>?

  init(
    port: any CentralPort, peer: PeerAddress, clock: any Clock<Duration>,
    executor: any TaskExecutor, inbox: Inbox
  ) {
    self.port = port
    self.peer = peer
    self.executor = executor
    self.inbox = inbox
    stopwatch = Stopwatch(clock)
  }

  /// The time since the start.
  var now: Duration { stopwatch.elapsed() }

  /// Starts an operation; its end comes as an event.
  mutating func perform(_ action: ProvisionerSession.Action) {
    switch action {
    case .subscribe: subscribe(to: .status)
    case .read(let characteristic):
      start { [port, peer] () throws(CentralError) in
        .read(try await port.read(characteristic, of: peer))
      }
    case .pair:
      start { [port, peer] () throws(CentralError) in
        do throws(CentralError) {
          try await port.pair(peer)
          return .paired
        } catch {
          // Not as a lost link, of which the session hears as well.
          return .failed(error)
        }
      }
    case .writeSSID(let ssid): write(ssid.bytes, to: .ssid)
    case .writePassword(let password):
      start { [port, peer] () throws(CentralError) in
        var copy = Array(password.bytes)
        defer { _ = SecretBytes(wiping: &copy) }
        try await port.write(copy, to: .password, of: peer)
        return .wrote
      }
    case .writeControl(let opcode): write([opcode.rawValue], to: .control)
    case .showInformation, .showStatus, .finish: break
    }
  }

  /// Starts an operation; its end comes as an event.
  mutating func perform(_ action: SecureSession.Action) {
    switch action {
    case .subscribe: subscribe(to: .session)
    case .write(let segment): write(segment, to: .session)
    case .opened, .showRisks, .showStatus, .finish: break
    }
  }

  /// Has the deadline come as an event; nil for none.
  mutating func wake(at deadline: Duration?) {
    timer?.cancel()
    timer = deadline.map { deadline in
      Task(executorPreference: executor) { [stopwatch, inbox] in
        do {
          try await stopwatch.sleep(deadline)
          inbox.yield(.deadline)
        } catch {}
      }
    }
  }

  /// Ends what is under way.
  func close() {
    timer?.cancel()
    for operation in operations { operation.cancel() }
  }

  private mutating func write(_ value: [UInt8], to characteristic: ProvisioningCharacteristic) {
    start { [port, peer] () throws(CentralError) in
      try await port.write(value, to: characteristic, of: peer)
      return .wrote
    }
  }

  private mutating func start(
    _ operation: @escaping @Sendable () async throws(CentralError) -> SessionEvent
  ) {
    operations.append(
      Task(executorPreference: executor) { [inbox] in
        do throws(CentralError) {
          inbox.yield(try await operation())
        } catch {
          inbox.yield(error.code == .linkLost ? .linkLost(error) : .failed(error))
        }
      })
  }

  private mutating func subscribe(to characteristic: ProvisioningCharacteristic) {
    operations.append(
      Task(executorPreference: executor) { [port, peer, inbox] in
        let values: AsyncThrowingStream<[UInt8], any Error>
        do throws(CentralError) {
          values = try await port.subscribe(to: characteristic, of: peer)
        } catch {
          inbox.yield(error.code == .linkLost ? .linkLost(error) : .failed(error))
          return
        }
        inbox.yield(.subscribed)
        do {
          for try await value in values { inbox.yield(.notified(value)) }
        } catch {
          inbox.yield(.linkLost(error as? CentralError ?? CentralError(.linkLost)))
        }
      })
  }
}
