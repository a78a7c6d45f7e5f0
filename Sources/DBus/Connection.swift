internal import CDBus
internal import Glibc
package import MainLoop

/// One connection to a message bus, served by the loop.
///
/// Handlers run on the loop's thread in the order of the bus; they may enter any actor of the
/// same loop with `assumeIsolated`. A process needs one connection: between two there is no order.
package actor Connection {
  package nonisolated let loop: MainLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Nil before it is open and after it is closed.
  var raw: OpaquePointer?
  private var hooks: LoopHooks?
  /// The name that the bus gave, such as `:1.42`; empty when closed.
  package private(set) var uniqueName = ""

  var calls: [UInt64: PendingCall] = [:]
  var lastCall: UInt64 = 0
  var subscriptions: [UInt64: SubscriptionEntry] = [:]
  var lastSubscription: UInt64 = 0
  var owners: [String: NameWatch] = [:]
  var table = ObjectTable()
  private var closeHandlers: [@Sendable () -> Void] = []

  /// Where a bus is.
  package enum Address: Sendable {
    /// The system bus, or what `DBUS_SYSTEM_BUS_ADDRESS` names.
    case system
    case session
    /// In the form of the D-Bus specification, "Server addresses".
    case address(String)
  }

  private init(loop: MainLoop) { self.loop = loop }

  /// Connects and says hello: the one call that blocks, for start-up only.
  ///
  /// - Throws: what libdbus says, such as `org.freedesktop.DBus.Error.FileNotFound` without a bus.
  package static func open(_ address: Address, loop: MainLoop) async throws(BusError) -> Connection
  {
    let connection = Connection(loop: loop)
    try await connection.start(address)
    return connection
  }

  private func start(_ address: Address) throws(BusError) {
    loop.checkIsolated()
    let opened = try withError { error in
      switch address {
      case .system: dbus_bus_get_private(DBUS_BUS_SYSTEM, &error)
      case .session: dbus_bus_get_private(DBUS_BUS_SESSION, &error)
      case .address(let text): dbus_connection_open_private(text, &error)
      }
    }
    guard let opened else { throw BusError.noMemory }
    dbus_connection_set_exit_on_disconnect(opened, 0)
    do {
      if case .address = address {
        _ = try withError { error in dbus_bus_register(opened, &error) }
      }
    } catch {
      dbus_connection_close(opened)
      dbus_connection_unref(opened)
      throw error
    }
    raw = opened
    uniqueName = dbus_bus_get_unique_name(opened).map { String(cString: $0) } ?? ""
    dbus_connection_add_filter(opened, filter, Unmanaged.passUnretained(self).toOpaque(), nil)
    let hooks = LoopHooks(connection: opened, context: OpaquePointer(loop.context))
    self.hooks = hooks
    guard hooks.install() else {
      close()
      throw BusError.noMemory
    }
  }

  isolated deinit { close() }

  /// Calls `handler` once, on the loop's thread, when the bus is gone or the connection closed.
  package func onClose(_ handler: @escaping @Sendable () -> Void) {
    guard raw != nil else { return handler() }
    closeHandlers.append(handler)
  }

  /// Leaves the bus: pending calls fail, subscriptions and exported objects are gone.
  package func close() {
    guard let raw else { return }
    let connection = raw
    self.raw = nil
    uniqueName = ""
    failCalls(with: .disconnected)
    subscriptions = [:]
    owners = [:]
    table = ObjectTable()
    // What is still queued must not find an object that is going away.
    dbus_connection_remove_filter(
      connection, filter, Unmanaged.passUnretained(self).toOpaque())
    dbus_connection_close(connection)
    hooks?.uninstall()
    hooks = nil
    dbus_connection_unref(connection)
    let handlers = closeHandlers
    closeHandlers = []
    for handler in handlers { handler() }
  }

  /// Asks for a well-known name and does not wait in a queue for it.
  package func requestName(_ name: String) async throws(BusError) {
    let reply = try await call(
      MessageBus.name, MessageBus.path, MessageBus.interface, "RequestName",
      [.string(name), .uint32(UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE))])
    guard reply.first?.asInteger == Int(DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) else {
      throw BusError(name: BusError.Name.failed, message: "\(name) has another owner")
    }
  }

  /// Gives a well-known name back.
  package func releaseName(_ name: String) async throws(BusError) {
    _ = try await call(
      MessageBus.name, MessageBus.path, MessageBus.interface, "ReleaseName", [.string(name)])
  }

  fileprivate func receive(_ raw: OpaquePointer) -> DBusHandlerResult {
    switch dbus_message_get_type(raw) {
    case DBUS_MESSAGE_TYPE_SIGNAL:
      if dbus_message_is_signal(raw, DBUS_INTERFACE_LOCAL, "Disconnected") != 0 {
        close()
        return DBUS_HANDLER_RESULT_HANDLED
      }
      // A signal that cannot be read (no descriptors left) is dropped, as one never heard.
      if let message = try? Message(raw) { deliver(message) }
      return DBUS_HANDLER_RESULT_HANDLED
    case DBUS_MESSAGE_TYPE_METHOD_CALL:
      serve(raw)
      return DBUS_HANDLER_RESULT_HANDLED
    default: return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    }
  }

  /// Sends a message that was built for it, and gives up the reference.
  func send(_ message: OpaquePointer) {
    defer { dbus_message_unref(message) }
    guard let raw else { return }
    _ = dbus_connection_send(raw, message, nil)
  }
}

/// Everything that arrives and is no reply to a pending call.
private let filter:
  @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> DBusHandlerResult = {
    _, message, data in
    guard let message, let data else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
    // The pointer is used before this function returns, on this thread.
    nonisolated(unsafe) let pointer = message
    let connection = Unmanaged<Connection>.fromOpaque(data).takeUnretainedValue()
    return connection.assumeIsolated { $0.receive(pointer) }
  }

extension Message {
  init(_ raw: OpaquePointer) throws(BusError) {
    sender = Self.text(dbus_message_get_sender(raw))
    path = Self.text(dbus_message_get_path(raw)).map { ObjectPath(unchecked: $0) }
    interface = Self.text(dbus_message_get_interface(raw))
    member = Self.text(dbus_message_get_member(raw)) ?? ""
    arguments = try Value.readAll(raw)
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}

/// Runs a libdbus function that reports a failure through its error argument.
func withError<Result>(_ body: (inout DBusError) -> Result) throws(BusError) -> Result {
  var error = DBusError()
  dbus_error_init(&error)
  defer { dbus_error_free(&error) }
  let result = body(&error)
  if let name = error.name {
    throw BusError(
      name: String(cString: name), message: error.message.map { String(cString: $0) } ?? "")
  }
  return result
}

/// Appends checked arguments to a new message; frees it when they cannot be sent.
func fill(_ message: OpaquePointer?, with arguments: [Value]) throws(BusError) -> OpaquePointer {
  guard let message else { throw BusError.noMemory }
  do {
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    for argument in arguments {
      try argument.checkSendable()
      try argument.append(to: &iterator)
    }
    return message
  } catch {
    dbus_message_unref(message)
    throw error
  }
}
