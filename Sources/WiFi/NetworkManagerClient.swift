internal import CNetworkManager
internal import DBus
internal import MainLoop

/// A live `NMClient` and the bus connection under it.
///
/// The connection is our own, not GLib's shared one: it goes when the client goes, and its loss
/// does not end the process. Not `Sendable`: everything here belongs to the loop's thread.
final class NetworkManagerClient {
  private let bus: ObjectReference
  private var object: ObjectReference?

  private init(bus: ObjectReference, object: ObjectReference) {
    self.bus = bus
    self.object = object
  }

  /// The `NMClient`; nil once it is closed.
  var pointer: OpaquePointer? { object?.pointer }

  /// Connects and reads everything that NetworkManager offers; fine without NetworkManager.
  ///
  /// - Parameter address: a D-Bus address; nil for the system bus.
  static func open(address: String?) async throws(GLibError) -> NetworkManagerClient {
    let text: String
    if let address { text = address } else { text = try systemBusAddress() }
    let flags = GDBusConnectionFlags(
      rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    let connected = await operation {
      g_dbus_connection_new_for_address(text, flags, nil, nil, $0, $1)
    }
    let bus = ObjectReference(
      taking: try throwing {
        g_dbus_connection_new_for_address_finish(connected.pointer, $0)
      })

    var connection = GValue()
    g_value_init(&connection, g_dbus_connection_get_type())
    g_value_set_object(&connection, bus.raw)
    let created = NM_CLIENT_DBUS_CONNECTION.withCString { name in
      var name: UnsafePointer<CChar>? = name
      return g_object_new_with_properties(nm_client_get_type(), 1, &name, &connection)
    }
    g_value_unset(&connection)
    guard let created else { throw GLibError(domain: 0, code: 0, message: "no client") }
    let object = ObjectReference(taking: OpaquePointer(created))
    // Who may do what shows when something is refused.
    object.setProperty(
      NM_CLIENT_INSTANCE_FLAGS, to: NM_CLIENT_INSTANCE_FLAGS_NO_AUTO_FETCH_PERMISSIONS.rawValue)
    let ready = await operation {
      g_async_initable_init_async(object.pointer, G_PRIORITY_DEFAULT, nil, $0, $1)
    }
    _ = try throwing {
      g_async_initable_init_finish(object.pointer, ready.pointer, $0) != 0 ? true : nil
    }
    return NetworkManagerClient(bus: bus, object: object)
  }

  private static func systemBusAddress() throws(GLibError) -> String {
    let address = try throwing { g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SYSTEM, nil, $0) }
    defer { g_free(address) }
    return String(cString: address)
  }

  /// Drops the client, then its bus connection.
  func close() async {
    object = nil
    let closed = await operation { g_dbus_connection_close(bus.pointer, nil, $0, $1) }
    // Closed by the other side already is as good.
    _ = try? throwing {
      g_dbus_connection_close_finish(bus.pointer, closed.pointer, $0) != 0 ? true : nil
    }
  }

  /// Returns once libnm has taken in what NetworkManager has said so far.
  ///
  /// It hears of things over a connection of its own, sooner or later than the rest of the program.
  func catchUp() async {
    let ready = await operation {
      g_dbus_connection_call(
        bus.pointer, NetworkManagerBus.name, NetworkManagerBus.path.string,
        "org.freedesktop.DBus.Peer", "Ping", nil, nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, 2000, nil,
        $0, $1)
    }
    if let reply = g_dbus_connection_call_finish(bus.pointer, ready.pointer, nil) {
      g_variant_unref(reply)
    }
  }

  /// Whether NetworkManager is there.
  var isRunning: Bool { pointer.map { nm_client_get_nm_running($0) != 0 } ?? false }

  /// The Wi-Fi device at a D-Bus path.
  func device(at path: String) -> WirelessDevice? {
    guard let pointer, let device = nm_client_get_device_by_path(pointer, path),
      nm_device_get_device_type(device) == NM_DEVICE_TYPE_WIFI
    else { return nil }
    return WirelessDevice(retaining: device)
  }

  /// Asks NetworkManager to keep a profile in memory, and not to activate it by itself.
  ///
  /// To add and activate it at once would be shorter, but NetworkManager completes such a profile,
  /// with the device's name for one. Who takes that back changes a profile that is in use, and to
  /// those no checkpoint leads back: "The connection was modified since activation".
  func beginAdding(
    _ connection: ObjectReference, answered: @escaping @Sendable (ReadyResult) -> Void
  ) {
    guard let pointer else { return }
    let flags = NMSettingsAddConnection2Flags(
      rawValue: NM_SETTINGS_ADD_CONNECTION2_FLAG_IN_MEMORY.rawValue
        | NM_SETTINGS_ADD_CONNECTION2_FLAG_BLOCK_AUTOCONNECT.rawValue)
    // The floating reference goes to libnm.
    let settings = nm_connection_to_dbus(connection.pointer, NM_CONNECTION_SERIALIZE_ALL)
    beginOperation(
      { nm_client_add_connection2(pointer, settings, flags, nil, 1, nil, $0, $1) },
      ready: answered)
  }

  /// The profile that ``beginAdding(_:answered:)`` led to.
  func finishAdding(_ result: ReadyResult) throws(GLibError) -> ObjectReference {
    ObjectReference(
      taking: try throwing { nm_client_add_connection2_finish(pointer, result.pointer, nil, $0) })
  }

  /// Asks NetworkManager to activate a profile.
  func beginActivation(
    of profile: ObjectReference, on device: WirelessDevice, accessPoint: String,
    answered: @escaping @Sendable (ReadyResult) -> Void
  ) {
    guard let pointer else { return }
    beginOperation(
      {
        nm_client_activate_connection_async(
          pointer, profile.pointer, device.pointer, accessPoint, nil, $0, $1)
      }, ready: answered)
  }

  /// Asks NetworkManager to forget a profile when the device lets go of it: at once, where the
  /// profile is not in use yet.
  func makeVolatile(
    _ profile: ObjectReference, answered: @escaping @Sendable (ReadyResult) -> Void = { _ in }
  ) {
    let flags = NMSettingsUpdate2Flags(
      rawValue: NM_SETTINGS_UPDATE2_FLAG_IN_MEMORY.rawValue
        | NM_SETTINGS_UPDATE2_FLAG_VOLATILE.rawValue)
    beginOperation(
      { nm_remote_connection_update2(profile.pointer, nil, flags, nil, nil, $0, $1) },
      ready: answered)
  }

  /// The active connection that ``beginActivation(of:on:accessPoint:answered:)`` led to.
  func finishActivation(_ result: ReadyResult) throws(GLibError) -> ObjectReference {
    ObjectReference(
      taking: try throwing {
        nm_client_activate_connection_finish(pointer, result.pointer, $0)
      })
  }

  /// Ends an active connection; one that has ended already is no error.
  func deactivate(_ active: ObjectReference) async {
    guard let pointer else { return }
    let ready = await operation {
      nm_client_deactivate_connection_async(pointer, active.pointer, nil, $0, $1)
    }
    _ = try? throwing {
      nm_client_deactivate_connection_finish(pointer, ready.pointer, $0) != 0 ? true : nil
    }
  }

  /// Asks NetworkManager to look for the way to the internet, where it is set up to do so.
  ///
  /// - Parameter limit: how long to wait for the answer.
  /// - Returns: false at once where it is not set up.
  func checkConnectivity(limit: Duration, loop: MainLoop) async -> Bool {
    guard let pointer, nm_client_connectivity_check_get_available(pointer) != 0,
      nm_client_connectivity_check_get_enabled(pointer) != 0, let cancellable = g_cancellable_new()
    else { return false }
    let owned = ObjectReference(taking: OpaquePointer(cancellable))
    // The timer is cancelled before the cancellable is released.
    nonisolated(unsafe) let target = cancellable
    let timer = loop.after(limit) { g_cancellable_cancel(target) }
    let ready = await operation {
      nm_client_check_connectivity_async(pointer, cancellable, $0, $1)
    }
    timer.cancel()
    var error: UnsafeMutablePointer<GError>?
    _ = nm_client_check_connectivity_finish(pointer, ready.pointer, &error)
    g_clear_error(&error)
    withExtendedLifetime(owned) {}
    return true
  }
}
