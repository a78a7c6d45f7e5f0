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
      Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().call()
    }
    self.object = ObjectReference(retaining: object)
    self.handler = g_signal_connect_data(
      self.object.raw, signal, unsafeBitCast(trampoline, to: GCallback.self),
      Unmanaged.passRetained(Handler(handler)).toOpaque(),
      { data, _ in if let data { Unmanaged<AnyObject>.fromOpaque(data).release() } },
      GConnectFlags(rawValue: 0))
  }

  deinit { g_signal_handler_disconnect(object.raw, handler) }
}

private final class Handler {
  let call: @Sendable () -> Void
  init(_ call: @escaping @Sendable () -> Void) { self.call = call }
}
