internal import CNetworkManager
internal import Secrets

/// The profile of an attempt, complete from the start, so that saving it is only a flag.
struct TrialProfile {
  /// Fresh, so that NetworkManager takes it for a new profile and asks for no second password.
  let uuid: String
  private let ssid: [UInt8]
  private let security: NetworkSecurity
  private let interface: String?

  /// - Parameter interface: pins the profile to a device; nil lets it move to another one.
  init(ssid: [UInt8], security: NetworkSecurity, interface: String?) {
    let text = nm_utils_uuid_generate()
    defer { g_free(text) }
    uuid = text.map { String(cString: $0) } ?? ""
    self.ssid = ssid
    self.security = security
    self.interface = interface
  }

  /// Builds what NetworkManager is given.
  ///
  /// The password is copied once into libnm's setting, which wipes it when the connection goes.
  func connection(password: SecretBytes?) -> ObjectReference? {
    guard let connection = nm_simple_connection_new() else { return nil }
    let result = ObjectReference(taking: connection)

    add(nm_setting_connection_new(), to: result) { setting in
      setting.setProperty(NM_SETTING_CONNECTION_ID, to: Self.displayName(of: ssid))
      setting.setProperty(NM_SETTING_CONNECTION_UUID, to: uuid)
      setting.setProperty(NM_SETTING_CONNECTION_TYPE, to: NM_SETTING_WIRELESS_SETTING_NAME)
      setting.setProperty(NM_SETTING_CONNECTION_AUTOCONNECT, to: true)
      // For ever: a board without a keyboard has no other way back.
      setting.setProperty(NM_SETTING_CONNECTION_AUTOCONNECT_RETRIES, to: Int32(0))
      if let interface { setting.setProperty(NM_SETTING_CONNECTION_INTERFACE_NAME, to: interface) }
    }
    add(nm_setting_wireless_new(), to: result) { setting in
      setting.setProperty(NM_SETTING_WIRELESS_SSID, to: ssid)
      setting.setProperty(NM_SETTING_WIRELESS_MODE, to: NM_SETTING_WIRELESS_MODE_INFRA)
    }
    if let management = keyManagement {
      add(nm_setting_wireless_security_new(), to: result) { setting in
        setting.setProperty(NM_SETTING_WIRELESS_SECURITY_KEY_MGMT, to: management)
        guard let password else { return }
        Self.withCString(password) {
          setting.setProperty(NM_SETTING_WIRELESS_SECURITY_PSK, toBorrowedText: $0)
        }
      }
    }
    add(nm_setting_ip4_config_new(), to: result) { setting in
      setting.setProperty(NM_SETTING_IP_CONFIG_METHOD, to: NM_SETTING_IP4_CONFIG_METHOD_AUTO)
      // An IPv6 address alone would count as connected otherwise.
      setting.setProperty(NM_SETTING_IP_CONFIG_MAY_FAIL, to: false)
    }
    add(nm_setting_ip6_config_new(), to: result) { setting in
      setting.setProperty(NM_SETTING_IP_CONFIG_METHOD, to: NM_SETTING_IP6_CONFIG_METHOD_AUTO)
    }
    return result
  }

  /// What the profile is to say once it is kept, without secrets: NetworkManager keeps those.
  ///
  /// Takes back what NetworkManager completed when it added the profile: it pins each to the
  /// device, and those with a router's default name to one access point.
  func savedSettings(of remote: OpaquePointer) -> OpaquePointer? {
    guard let clone = nm_simple_connection_new_clone(remote) else { return nil }
    let connection = ObjectReference(taking: clone)
    if let setting = nm_connection_get_setting_connection(clone) {
      let setting = ObjectReference(retaining: setting)
      setting.setProperty(NM_SETTING_CONNECTION_INTERFACE_NAME, toBorrowedText: nil)
      if let interface { setting.setProperty(NM_SETTING_CONNECTION_INTERFACE_NAME, to: interface) }
    }
    if let setting = nm_connection_get_setting_wireless(clone) {
      ObjectReference(retaining: setting)
        .setProperty(NM_SETTING_WIRELESS_BSSID, toBorrowedText: nil)
    }
    if let setting = nm_connection_get_setting_ip4_config(clone) {
      ObjectReference(retaining: setting)
        .setProperty(NM_SETTING_IP_CONFIG_MAY_FAIL, to: true)
    }
    return withExtendedLifetime(connection) {
      nm_connection_to_dbus(clone, NM_CONNECTION_SERIALIZE_ALL)
    }
  }

  private var keyManagement: String? {
    switch security {
    case .open, .wep, .enterprise: nil
    case .owe: "owe"
    // NetworkManager adds SAE by itself where supplicant and driver can do it.
    case .wpa2, .wpa2WPA3: "wpa-psk"
    case .wpa3: "sae"
    }
  }

  private func add(
    _ setting: OpaquePointer?, to connection: ObjectReference, _ fill: (ObjectReference) -> Void
  ) {
    guard let setting else { return }
    fill(ObjectReference(retaining: setting))
    // Takes over the reference that the setting was made with.
    nm_connection_add_setting(connection.pointer, setting)
  }

  private static func displayName(of ssid: [UInt8]) -> String {
    guard
      let text = ssid.withUnsafeBufferPointer({
        nm_utils_ssid_to_utf8($0.baseAddress, gsize($0.count))
      })
    else { return "Wi-Fi" }
    defer { g_free(text) }
    return String(cString: text)
  }

  private static func withCString(_ secret: SecretBytes, _ body: (UnsafePointer<CChar>) -> Void) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: secret.count + 1, alignment: 1)
    secret.withUnsafeBytes { copy.copyMemory(from: $0) }
    copy[secret.count] = 0
    defer {
      if let base = copy.baseAddress { explicit_bzero(base, copy.count) }
      copy.deallocate()
    }
    if let base = copy.baseAddress { body(base.assumingMemoryBound(to: CChar.self)) }
  }
}
