internal import CNetworkManager

/// A handler of a GObject's signal, disconnected with the last use of this value.
final class SignalConnection {
  private let object: ObjectReference
  private let handler: gulong

  /// Follows one property; the handler runs on the loop's thread.
  convenience init(
    _ object: OpaquePointer, property: String, _ handler: @escaping @Sendable () -> Void
  ) {
    self.init(object, signal: "notify::" + property, handler)
  }

  /// Follows a signal with one argument, which is not passed on.
  init(_ object: OpaquePointer, signal: String, _ handler: @escaping @Sendable () -> Void) {
    let trampoline: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, _, data in
      guard let data else { return }
      Unmanaged<Handler<() -> Void>>.fromOpaque(data).takeUnretainedValue().call()
    }
    self.object = ObjectReference(retaining: object)
    self.handler = Self.connect(
      self.object, signal, unsafeBitCast(trampoline, to: GCallback.self), Handler(handler))
  }

  /// Follows `NMDevice::state-changed`: the new state and its reason.
  init(device: OpaquePointer, _ handler: @escaping @Sendable (UInt32, UInt32) -> Void) {
    let trampoline: @convention(c) (gpointer?, guint, guint, guint, gpointer?) -> Void = {
      _, new, _, reason, data in
      guard let data else { return }
      Unmanaged<Handler<(UInt32, UInt32) -> Void>>.fromOpaque(data).takeUnretainedValue()
        .call(new, reason)
    }
    object = ObjectReference(retaining: device)
    self.handler = Self.connect(
      object, "state-changed", unsafeBitCast(trampoline, to: GCallback.self), Handler(handler))
  }

  /// Follows `NMActiveConnection::state-changed`: the new state.
  init(activeConnection: OpaquePointer, _ handler: @escaping @Sendable (UInt32) -> Void) {
    let trampoline: @convention(c) (gpointer?, guint, guint, gpointer?) -> Void = {
      _, state, _, data in
      guard let data else { return }
      Unmanaged<Handler<(UInt32) -> Void>>.fromOpaque(data).takeUnretainedValue().call(state)
    }
    object = ObjectReference(retaining: activeConnection)
    self.handler = Self.connect(
      object, "state-changed", unsafeBitCast(trampoline, to: GCallback.self), Handler(handler))
  }

  deinit { g_signal_handler_disconnect(object.raw, handler) }

  private static func connect<Function>(
    _ object: ObjectReference, _ signal: String, _ trampoline: @escaping GCallback,
    _ handler: Handler<Function>
  ) -> gulong {
    g_signal_connect_data(
      object.raw, signal, trampoline, Unmanaged.passRetained(handler).toOpaque(),
      { data, _ in if let data { Unmanaged<AnyObject>.fromOpaque(data).release() } },
      GConnectFlags(rawValue: 0))
  }
}

private final class Handler<Function> {
  let call: Function
  init(_ call: Function) { self.call = call }
}
