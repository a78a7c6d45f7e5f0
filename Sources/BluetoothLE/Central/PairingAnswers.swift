internal import DBus
internal import MainLoop

/// Answers what bluetoothd asks during one pairing that this side wants.
actor PairingAnswers: LoopActor {
  nonisolated let loop: MainLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let device: ObjectPath
  private let owner: String
  private let source: PasskeySource?
  private var asking: Task<Void, Never>?
  /// Whether bluetoothd asked for a passkey in vain.
  private(set) var isPasskeyMissing = false

  /// - Parameters:
  ///   - device: the peripheral's object; what is asked about others is refused.
  ///   - owner: the unique name of the bluetoothd that may ask.
  init(device: ObjectPath, owner: String, loop: MainLoop, source: PasskeySource?) {
    self.device = device
    self.owner = owner
    self.loop = loop
    self.source = source
  }

  /// What to register as an agent.
  nonisolated var interface: Interface {
    Interface(
      BlueZ.Interface.agent,
      methods: [
        question("RequestPasskey", "o", "u") { $0.ask($1) },
        // Nobody has to be asked for what was asked of us.
        question("RequestAuthorization", "o") { _, _ in .reply([]) },
        // Two displays to be compared, and what other kinds of devices ask.
        Method("RequestConfirmation", in: "ou") { _ in Self.rejected },
        Method("DisplayPasskey", in: "ouq") { _ in Self.rejected },
        Method("RequestPinCode", in: "o", out: "s") { _ in Self.rejected },
        Method("DisplayPinCode", in: "os") { _ in Self.rejected },
        Method("AuthorizeService", in: "os") { _ in Self.rejected },
        Method("Cancel") { [weak self] _ in
          self?.assumeIsolated { $0.end() }
          return .reply([])
        },
        Method("Release") { _ in .reply([]) },
      ])
  }

  /// Asks no longer.
  func end() {
    asking?.cancel()
    asking = nil
  }

  private static let rejected = MethodOutcome.error(
    BusError(name: BlueZ.ErrorName.rejected, message: "not wanted"))

  private nonisolated func question(
    _ name: String, _ input: StaticString, _ output: StaticString = "",
    _ body: @escaping @Sendable (isolated PairingAnswers, MethodCall) -> MethodOutcome
  ) -> Method {
    Method(name, in: input, out: output) { [weak self] call in
      self?.assumeIsolated { answers in
        guard call.sender == answers.owner,
          call.arguments.first?.asObjectPath == answers.device
        else { return Self.rejected }
        return body(answers, call)
      } ?? Self.rejected
    }
  }

  private func ask(_ call: MethodCall) -> MethodOutcome {
    guard let source else {
      isPasskeyMissing = true
      return Self.rejected
    }
    asking?.cancel()
    asking = task { answers in
      let passkey = await source()
      guard let passkey else {
        // Who gave up waiting is told something else.
        if !Task.isCancelled { answers.isPasskeyMissing = true }
        return call.answer(Self.rejected)
      }
      call.answer(.reply([.uint32(passkey.rawValue)]))
    }
    return .later
  }
}
