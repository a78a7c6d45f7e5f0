internal import CNetworkManager

/// A `GError`, as a value.
struct GLibError: Error, CustomStringConvertible {
  let domain: UInt32
  let code: Int32
  let message: String

  var description: String { message }

  /// Takes the error that a GLib function left behind.
  init(taking error: UnsafeMutablePointer<GError>?) {
    guard let error else {
      self.init(domain: 0, code: 0, message: "no error was given")
      return
    }
    // The remote's name belongs to the message for people as little as to the code.
    g_dbus_error_strip_remote_error(error)
    defer { g_error_free(error) }
    self.init(
      domain: error.pointee.domain, code: error.pointee.code,
      message: error.pointee.message.map { String(cString: $0) } ?? "")
  }

  init(domain: UInt32, code: Int32, message: String) {
    self.domain = domain
    self.code = code
    self.message = message
  }

  /// Whether NetworkManager, polkit or the bus refuses this program's user.
  var isPermissionDenied: Bool {
    (domain == nm_manager_error_quark()
      && code == Int32(NM_MANAGER_ERROR_PERMISSION_DENIED.rawValue))
      || (domain == nm_settings_error_quark()
        && code == Int32(NM_SETTINGS_ERROR_PERMISSION_DENIED.rawValue))
      || (domain == g_dbus_error_quark()
        && [G_DBUS_ERROR_ACCESS_DENIED, G_DBUS_ERROR_AUTH_FAILED].contains {
          code == Int32($0.rawValue)
        })
  }

  /// Whether the name has no owner, or lost it before it answered.
  var isServiceMissing: Bool {
    domain == g_dbus_error_quark()
      && [
        G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER, G_DBUS_ERROR_NO_REPLY,
        G_DBUS_ERROR_DISCONNECTED,
      ].contains { code == Int32($0.rawValue) }
  }

  /// Whether the object that was called is not there any more.
  var isUnknownObject: Bool {
    domain == g_dbus_error_quark()
      && [G_DBUS_ERROR_UNKNOWN_OBJECT, G_DBUS_ERROR_UNKNOWN_METHOD].contains {
        code == Int32($0.rawValue)
      }
  }

  /// Whether the access point is no longer among those that NetworkManager sees.
  var isAccessPointGone: Bool {
    (domain == nm_device_error_quark()
      && code == Int32(NM_DEVICE_ERROR_SPECIFIC_OBJECT_NOT_FOUND.rawValue))
      || (domain == nm_manager_error_quark()
        && code == Int32(NM_MANAGER_ERROR_CONNECTION_NOT_AVAILABLE.rawValue))
  }

  /// Whether the object went away before libnm had read it.
  var isObjectGone: Bool {
    domain == nm_client_error_quark()
      && code == Int32(NM_CLIENT_ERROR_OBJECT_CREATION_FAILED.rawValue)
  }
}
