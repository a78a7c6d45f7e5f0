internal import CDBus
internal import MainLoop

/// A method call of ours, whichever of the reply, the cancellation and the `await` comes first.
enum PendingCall {
  case sent(OpaquePointer)
  case awaited(OpaquePointer, CheckedContinuation<Result<[Value], BusError>, Never>)
  case answered(Result<[Value], BusError>)
}

extension Connection {
  /// Calls a method and waits for its reply, which libdbus bounds by `timeout`.
  ///
  /// - Parameters:
  ///   - destination: a unique or well-known name.
  ///   - timeout: 1 ms to 24 days.
  ///   - mayAskUser: whether the peer may ask the user before it answers, which takes as long as
  ///     the user does.
  /// - Returns: the reply's arguments.
  /// - Throws: the peer's error; `NoReply` after the time-out; ``BusError/cancelled`` when the
  ///   task is cancelled, whatever the peer does then; `InvalidArgs` for what cannot be sent.
  package func call(
    _ destination: String, _ path: ObjectPath, _ interface: String, _ member: String,
    _ arguments: [Value] = [], timeout: Duration = .seconds(25), mayAskUser: Bool = false
  ) async throws(BusError) -> [Value] {
    if Task.isCancelled { throw BusError.cancelled }
    let id = try begin(destination, path, interface, member, arguments, timeout, mayAskUser)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // `self` keeps this closure on the actor.
        self.attach(continuation, to: id)
      }
    } onCancel: {
      Task(executorPreference: loop) { await self.cancel(id) }
    }
    return try result.get()
  }

  /// The user that a connection of the bus belongs to.
  ///
  /// - Parameter name: a unique or well-known name.
  package func userID(of name: String) async throws(BusError) -> UInt32 {
    let reply = try await call(
      MessageBus.name, MessageBus.path, MessageBus.interface, "GetConnectionUnixUser",
      [.string(name)])
    guard case .uint32(let id)? = reply.first else {
      throw BusError(name: BusError.Name.failed, message: "no user in the reply")
    }
    return id
  }

  /// Reads one property.
  package func property(
    _ name: String, of interface: String, _ destination: String, _ path: ObjectPath,
    timeout: Duration = .seconds(25)
  ) async throws(BusError) -> Value {
    let reply = try await call(
      destination, path, StandardInterface.properties, "Get", [.string(interface), .string(name)],
      timeout: timeout)
    guard let value = reply.first?.unwrapped else {
      throw BusError(name: BusError.Name.failed, message: "no value in the reply")
    }
    return value
  }

  /// Writes one property.
  package func setProperty(
    _ name: String, of interface: String, _ destination: String, _ path: ObjectPath,
    to value: Value, timeout: Duration = .seconds(25)
  ) async throws(BusError) {
    _ = try await call(
      destination, path, StandardInterface.properties, "Set",
      [.string(interface), .string(name), .variant(value)], timeout: timeout)
  }

  /// Calls a method whose reply nobody waits for.
  package func post(
    _ destination: String, _ path: ObjectPath, _ interface: String, _ member: String,
    _ arguments: [Value] = []
  ) throws(BusError) {
    let message = try methodCall(destination, path, interface, member, arguments)
    dbus_message_set_no_reply(message, 1)
    send(message)
  }

  private func methodCall(
    _ destination: String, _ path: ObjectPath, _ interface: String, _ member: String,
    _ arguments: [Value]
  ) throws(BusError) -> OpaquePointer {
    guard dbus_validate_bus_name(destination, nil) != 0,
      dbus_validate_interface(interface, nil) != 0, dbus_validate_member(member, nil) != 0
    else {
      throw BusError.invalidArguments("\(destination), \(interface) or \(member) is no valid name")
    }
    return try fill(
      dbus_message_new_method_call(destination, path.string, interface, member), with: arguments)
  }

  private func begin(
    _ destination: String, _ path: ObjectPath, _ interface: String, _ member: String,
    _ arguments: [Value], _ timeout: Duration, _ mayAskUser: Bool
  ) throws(BusError) -> UInt64 {
    guard let raw else { throw BusError.disconnected }
    let message = try methodCall(destination, path, interface, member, arguments)
    defer { dbus_message_unref(message) }
    dbus_message_set_allow_interactive_authorization(message, mayAskUser ? 1 : 0)
    var pending: OpaquePointer?
    let milliseconds = Int32(clamping: max(1, timeout.wholeMilliseconds))
    guard dbus_connection_send_with_reply(raw, message, &pending, milliseconds) != 0 else {
      throw BusError.noMemory
    }
    guard let pending else { throw BusError.disconnected }
    lastCall += 1
    calls[lastCall] = .sent(pending)
    // Set before this turn of the loop ends: libdbus does not call one that is set after the reply.
    _ = dbus_pending_call_set_notify(
      pending,
      { _, data in
        guard let data else { return }
        let ticket = Unmanaged<CallTicket>.fromOpaque(data).takeUnretainedValue()
        ticket.connection?.assumeIsolated { $0.finish(ticket.id) }
      }, Unmanaged.passRetained(CallTicket(self, lastCall)).toOpaque(),
      { data in if let data { Unmanaged<CallTicket>.fromOpaque(data).release() } })
    return lastCall
  }

  private func attach(
    _ continuation: CheckedContinuation<Result<[Value], BusError>, Never>, to id: UInt64
  ) {
    switch calls[id] {
    case .sent(let pending): calls[id] = .awaited(pending, continuation)
    case .answered(let result):
      calls[id] = nil
      continuation.resume(returning: result)
    case .awaited, nil: preconditionFailure("call \(id) is awaited twice")
    }
  }

  private func finish(_ id: UInt64) {
    switch calls[id] {
    case .sent(let pending): calls[id] = .answered(Self.takeReply(of: pending))
    case .awaited(let pending, let continuation):
      calls[id] = nil
      continuation.resume(returning: Self.takeReply(of: pending))
    case .answered, nil: break
    }
  }

  private func cancel(_ id: UInt64) { drop(id, error: .cancelled) }

  func failCalls(with error: BusError) {
    for id in Array(calls.keys) { drop(id, error: error) }
  }

  private func drop(_ id: UInt64, error: BusError) {
    switch calls[id] {
    case .sent(let pending):
      calls[id] = .answered(.failure(error))
      Self.abandon(pending)
    case .awaited(let pending, let continuation):
      calls[id] = nil
      Self.abandon(pending)
      continuation.resume(returning: .failure(error))
    case .answered, nil: break
    }
  }

  private static func abandon(_ pending: OpaquePointer) {
    dbus_pending_call_cancel(pending)
    dbus_pending_call_unref(pending)
  }

  private static func takeReply(of pending: OpaquePointer) -> Result<[Value], BusError> {
    defer { dbus_pending_call_unref(pending) }
    guard let reply = dbus_pending_call_steal_reply(pending) else {
      return .failure(BusError(name: BusError.Name.noReply, message: ""))
    }
    defer { dbus_message_unref(reply) }
    return Result { () throws(BusError) in
      try withError { error in _ = dbus_set_error_from_message(&error, reply) }
      return try Value.readAll(reply)
    }
  }
}

/// What libdbus holds for one pending call: no reference that would keep the call alive.
private final class CallTicket: Sendable {
  weak let connection: Connection?
  let id: UInt64
  init(_ connection: Connection, _ id: UInt64) {
    self.connection = connection
    self.id = id
  }
}
