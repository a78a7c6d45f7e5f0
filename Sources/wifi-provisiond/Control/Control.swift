internal import Cryptography
internal import DBus
internal import DeviceState
internal import Diagnostics
internal import MainLoop
internal import ProvisioningAgent
internal import ProvisioningProtocol

/// The daemon on the system bus: shows what it does and why, and does what programs on the device
/// ask for that may.
actor Control: AgentObserver {
  private nonisolated let loop: MainLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let bus: Connection
  private let authority: Authority
  private let log: Log
  private let codeChanged: @Sendable (_ done: @escaping @Sendable () -> Void) -> Void
  private var service: Service?
  private var status = DaemonStatus()

  /// - Parameter codeChanged: has the daemon take a new setup code from the state folder, and calls
  ///   `done` when it has.
  init(
    bus: Connection, log: Log,
    codeChanged: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void
  ) {
    loop = bus.loop
    self.bus = bus
    authority = Authority(bus: bus)
    self.log = log
    self.codeChanged = codeChanged
  }

  /// Shows this service from now on.
  func serve(_ service: Service) async {
    self.service = service
    await service.agent.observe(self)
    take(await service.agent.state)
  }

  /// Takes the name on the bus; without it, the daemon does its work all the same.
  func start() async {
    await bus.export(ControlBus.path, [interface])
    do throws(BusError) {
      try await bus.requestName(ControlBus.name)
    } catch {
      log.warning(
        "the daemon cannot be asked for its state, nor be controlled: the name "
          + "\(ControlBus.name) is not to be had on the system bus: \(error.message)")
    }
  }

  nonisolated func agentDid(_ event: AgentEvent) { assumeIsolated { $0.emit(event) } }

  nonisolated func agentDidChange(_ state: AgentState) { assumeIsolated { $0.take(state) } }

  private func take(_ state: AgentState) {
    guard let service else { return }
    let old = status
    status = DaemonStatus(service.device, state)
    let changed = DaemonStatus.fields.filter { $0.value(old) != $0.value(status) }.map(\.name)
    guard !changed.isEmpty else { return }
    bus.assumeIsolated { $0.propertiesChanged(ControlBus.path, ControlBus.interface, of: changed) }
  }

  private func emit(_ event: AgentEvent) {
    let (name, arguments): (String, [Value]) =
      switch event {
      case .opened(let state): ("Opened", [.string(state.words)])
      case .closed(let state): ("Closed", [.string(state.words)])
      case .sessionBegan(let central): ("SessionBegan", [.string(central.rawValue)])
      case .sessionEnded(let central): ("SessionEnded", [.string(central.rawValue)])
      case .connected(let status):
        (
          "Connected",
          [
            .bytes(status.triedSSID?.bytes ?? []), .string(status.value.ipv4?.description ?? ""),
          ]
        )
      case .failed(let status):
        (
          "Failed",
          [
            .bytes(status.triedSSID?.bytes ?? []), .string(status.value.reason.name),
            .string("\(status.value.reason.explanation) \(status.value.reason.advice)"),
          ]
        )
      case .forgotten(let ssid): ("Forgotten", [.bytes(ssid.bytes)])
      }
    bus.assumeIsolated { $0.emit(ControlBus.path, ControlBus.interface, name, arguments) }
  }
}

// MARK: - What is asked for

extension Control {
  /// Answers a call once its caller is known to be permitted, and what it wants is done.
  private nonisolated func serve(_ request: ControlRequest, _ call: MethodCall) -> MethodOutcome {
    Task(executorPreference: loop) { await self.answer(call, request) }
    return .later
  }

  private func answer(_ call: MethodCall, _ request: ControlRequest) async {
    if let refusal = await authority.refusal(of: request.action, to: call) {
      log.info("\(call.member) of \(call.sender) refused: \(refusal.message)")
      call.answer(.error(refusal))
      return
    }
    do throws(BusError) {
      call.answer(.reply(try await perform(request)))
    } catch {
      call.answer(.error(error))
    }
  }

  private func perform(_ request: ControlRequest) async throws(BusError) -> [Value] {
    guard let service else { throw Self.failed("the daemon is still starting") }
    switch request {
    case .open(let length):
      await service.agent.forgiveGuesses()
      await service.agent.open(for: length)
    case .close: await service.agent.close()
    case .identify:
      guard service.agent.canIdentify else {
        throw BusError(
          name: ControlBus.ErrorName.notSupported,
          message: "the device has nothing to be noticed by: set led in [device] of the "
            + "configuration, or add a hook named identify")
      }
      await service.agent.identify()
    case .forget(let ssid):
      switch await service.agent.forget(ssid) {
      case .success(let count): return [.uint32(UInt32(clamping: count))]
      case .failure(let failure):
        let advice = failure.advice.map { " \($0)" } ?? ""
        throw Self.failed(failure.explanation + advice)
      }
    case .setCode(let code): try await set(code, service)
    }
    return []
  }

  private func set(_ code: SetupCode, _ service: Service) async throws(BusError) {
    guard let setup = service.setup else {
      throw BusError(
        name: ControlBus.ErrorName.notSupported, message: "the configuration asks for no setup code"
      )
    }
    let configuration = service.configuration
    let device = service.device.id
    do throws(CommandError) {
      // Elsewhere than on the loop: it is slow on purpose.
      let stored = try await Task.detached { () -> Result<StoredCode, CommandError> in
        Result { () throws(CommandError) in try configuration.stored(code, device: device) }
      }.value.get()
      do throws(StateError) {
        try configuration.replaceCode(in: setup.folder, with: stored)
      } catch {
        throw CommandError(error)
      }
    } catch {
      throw Self.failed(error.message)
    }
    await withCheckedContinuation { continuation in codeChanged { continuation.resume() } }
  }

  private static func failed(_ message: String) -> BusError {
    BusError(name: ControlBus.ErrorName.failed, message: message)
  }
}

// MARK: - What introspection shows

extension Control {
  private nonisolated var interface: Interface {
    Interface(
      ControlBus.interface,
      documentation: "The device as somebody at it sees it: who may ask polkit says",
      methods: methods,
      properties: DaemonStatus.fields.map { field in
        Property(field.name, field.type, documentation: field.documentation) {
          self.assumeIsolated { field.value($0.status) }
        }
      },
      signals: [
        SignalDescription("Opened", "s", names: ["why"]),
        SignalDescription("Closed", "s", names: ["why"]),
        SignalDescription("SessionBegan", "s", names: ["central"]),
        SignalDescription("SessionEnded", "s", names: ["central"]),
        SignalDescription(
          "Connected", "ays", names: ["ssid", "ipv4"],
          documentation: "The device is in the network that a provisioner named"),
        SignalDescription(
          "Failed", "ayss", names: ["ssid", "reason", "explanation"],
          documentation: "It is not, for this reason of the protocol"),
        SignalDescription("Forgotten", "ay", names: ["ssid"]),
      ])
  }

  private nonisolated var methods: [Method] {
    [
      Method(
        "Open", in: "x", names: ["seconds"],
        documentation: "Opens the device to provisioners, and forgives wrong setup codes: for so "
          + "long unused, 0 for ever, -1 as is configured"
      ) { call in
        guard case .int64(let seconds)? = call.arguments.first, seconds >= -1,
          seconds <= Configuration.longestWindow
        else {
          return .error(
            .invalidArguments("seconds are -1, or 0 to \(Configuration.longestWindow)"))
        }
        return self.serve(.open(seconds < 0 ? nil : .seconds(seconds)), call)
      },
      Method("Close", documentation: "Closes it, until it is opened or a network is lost") {
        self.serve(.close, $0)
      },
      Method("Identify", documentation: "Has the device make itself noticed for some seconds") {
        self.serve(.identify, $0)
      },
      Method(
        "Forget", in: "ay", out: "u", names: ["ssid", "profiles"],
        documentation: "Removes what is saved of a network; returns how many profiles that were"
      ) { call in
        guard let ssid = call.arguments.first?.asBytes.flatMap({ try? SSID($0) }) else {
          return .error(.invalidArguments("an SSID has 1 to 32 bytes"))
        }
        return self.serve(.forget(ssid), call)
      },
      Method(
        "SetCode", in: "s", names: ["code"],
        documentation: "Puts another setup code in the place of the one before, such as 314-159-266"
      ) { call in
        do throws(CommandError) {
          let code = try CodeSource.checked(Array((call.arguments.first?.asString ?? "").utf8))
          return self.serve(.setCode(code), call)
        } catch {
          return .error(.invalidArguments(error.message))
        }
      },
    ]
  }
}
