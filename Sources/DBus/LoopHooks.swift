internal import CDBus
internal import CGLib

/// Turns libdbus's watches, timeouts and dispatch requests into sources of the loop.
///
/// On the loop's thread only. libdbus does not copy the hooks: they live until ``uninstall()``.
final class LoopHooks {
  private let connection: OpaquePointer
  private let context: OpaquePointer
  private var isDispatchQueued = false

  init(connection: OpaquePointer, context: OpaquePointer) {
    self.connection = connection
    self.context = context
  }

  func install() -> Bool {
    let me = Unmanaged.passUnretained(self).toOpaque()
    let watches = dbus_connection_set_watch_functions(
      connection,
      { watch, data in
        guard let watch, let data else { return 0 }
        LoopHooks.from(data).add(watch)
        return 1
      }, { watch, _ in dbus_watch_set_data(watch, nil, nil) },
      { watch, data in
        guard let watch, let data else { return }
        dbus_watch_set_data(watch, nil, nil)
        LoopHooks.from(data).add(watch)
      }, me, nil)
    let timeouts = dbus_connection_set_timeout_functions(
      connection,
      { timeout, data in
        guard let timeout, let data else { return 0 }
        LoopHooks.from(data).add(timeout: timeout)
        return 1
      }, { timeout, _ in dbus_timeout_set_data(timeout, nil, nil) },
      { timeout, data in
        guard let timeout, let data else { return }
        dbus_timeout_set_data(timeout, nil, nil)
        LoopHooks.from(data).add(timeout: timeout)
      }, me, nil)
    guard watches != 0, timeouts != 0 else { return false }
    dbus_connection_set_dispatch_status_function(
      connection,
      { _, status, data in
        guard status == DBUS_DISPATCH_DATA_REMAINS, let data else { return }
        LoopHooks.from(data).queueDispatch()
      }, me, nil)
    if dbus_connection_get_dispatch_status(connection) == DBUS_DISPATCH_DATA_REMAINS {
      queueDispatch()
    }
    return true
  }

  func uninstall() {
    _ = dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    _ = dbus_connection_set_timeout_functions(connection, nil, nil, nil, nil, nil)
    dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
  }

  private static func from(_ data: UnsafeMutableRawPointer) -> LoopHooks {
    Unmanaged<LoopHooks>.fromOpaque(data).takeUnretainedValue()
  }

  private func add(_ watch: OpaquePointer) {
    guard dbus_watch_get_enabled(watch) != 0 else { return }
    let flags = dbus_watch_get_flags(watch)
    var condition = G_IO_ERR.rawValue | G_IO_HUP.rawValue
    if flags & DBUS_WATCH_READABLE.rawValue != 0 { condition |= G_IO_IN.rawValue }
    if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { condition |= G_IO_OUT.rawValue }
    guard
      let source = g_unix_fd_source_new(
        dbus_watch_get_unix_fd(watch), GIOCondition(rawValue: condition))
    else { return }
    let fire: @convention(c) (gint, GIOCondition, gpointer?) -> gboolean = { _, ready, data in
      guard let data else { return 0 }
      let ticket = Unmanaged<WatchTicket>.fromOpaque(data).takeUnretainedValue()
      var flags: UInt32 = 0
      if ready.rawValue & G_IO_IN.rawValue != 0 { flags |= DBUS_WATCH_READABLE.rawValue }
      if ready.rawValue & G_IO_OUT.rawValue != 0 { flags |= DBUS_WATCH_WRITABLE.rawValue }
      if ready.rawValue & G_IO_ERR.rawValue != 0 { flags |= DBUS_WATCH_ERROR.rawValue }
      if ready.rawValue & G_IO_HUP.rawValue != 0 { flags |= DBUS_WATCH_HANGUP.rawValue }
      // Handling may drop the last reference on the connection and free the watch.
      let connection = ticket.connection
      dbus_connection_ref(connection)
      dbus_watch_handle(ticket.watch, flags)
      dbus_connection_unref(connection)
      return 1
    }
    g_source_set_callback(
      source, unsafeBitCast(fire, to: GSourceFunc.self),
      Unmanaged.passRetained(WatchTicket(watch, connection)).toOpaque(),
      { data in if let data { Unmanaged<WatchTicket>.fromOpaque(data).release() } })
    g_source_attach(source, context)
    dbus_watch_set_data(watch, source, freeSource)
  }

  private func add(timeout: OpaquePointer) {
    guard dbus_timeout_get_enabled(timeout) != 0,
      let source = g_timeout_source_new(guint(max(0, dbus_timeout_get_interval(timeout))))
    else { return }
    g_source_set_callback(
      source,
      { data in
        dbus_timeout_handle(OpaquePointer(data))
        return 1
      }, UnsafeMutableRawPointer(timeout), nil)
    g_source_attach(source, context)
    dbus_timeout_set_data(timeout, source, freeSource)
  }

  private func queueDispatch() {
    guard !isDispatchQueued, let source = g_idle_source_new() else { return }
    isDispatchQueued = true
    g_source_set_priority(source, G_PRIORITY_DEFAULT)
    dbus_connection_ref(connection)
    g_source_set_callback(
      source,
      { data in
        guard let data else { return 0 }
        let hooks = LoopHooks.from(data)
        let connection = hooks.connection
        // A bounded batch, so that a flood does not starve timers and other sources.
        for _ in 0..<32
        where dbus_connection_dispatch(connection) != DBUS_DISPATCH_DATA_REMAINS {
          hooks.isDispatchQueued = false
          // What arrived between the last dispatch and the line above asked in vain.
          if dbus_connection_get_dispatch_status(connection) == DBUS_DISPATCH_DATA_REMAINS {
            hooks.queueDispatch()
          }
          return 0
        }
        return 1
      }, Unmanaged.passRetained(self).toOpaque(),
      { data in
        guard let data else { return }
        let hooks = Unmanaged<LoopHooks>.fromOpaque(data)
        dbus_connection_unref(hooks.takeUnretainedValue().connection)
        hooks.release()
      })
    g_source_attach(source, context)
    g_source_unref(source)
  }
}

private final class WatchTicket {
  let watch: OpaquePointer
  let connection: OpaquePointer
  init(_ watch: OpaquePointer, _ connection: OpaquePointer) {
    self.watch = watch
    self.connection = connection
  }
}

/// What libdbus calls when it frees a watch or timeout, or when its data is replaced.
private let freeSource: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
  guard let source = data?.assumingMemoryBound(to: GSource.self) else { return }
  g_source_destroy(source)
  g_source_unref(source)
}
