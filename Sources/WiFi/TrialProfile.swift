internal import CNetworkManager
internal import Secrets

/// The profile of an attempt, complete from the start, so that saving it is only a flag.
struct TrialProfile {
  /// Fresh, so that NetworkManager takes it for a new profile and asks for no second password.
  let uuid: String
  private let request: NetworkRequest
  private let management: KeyManagement
  private let isHidden: Bool
  private let interface: String?

  /// - Parameters:
  ///   - isHidden: whether the network has to be asked for by its name.
  ///   - interface: pins the profile to a device; nil lets it move to another one.
  init(_ request: NetworkRequest, by management: KeyManagement, isHidden: Bool, interface: String?)
  {
    let text = nm_utils_uuid_generate()
    defer { g_free(text) }
    uuid = text.map { String(cString: $0) } ?? ""
    self.request = request
    self.management = management
    self.isHidden = isHidden
    self.interface = interface
  }

  /// Builds what NetworkManager is given.
  ///
  /// Secrets are copied once into libnm's settings, which wipe them when the connection goes.
  func connection() -> ObjectReference? {
    guard let connection = nm_simple_connection_new() else { return nil }
    let result = ObjectReference(taking: connection)

    add(nm_setting_connection_new(), to: result) { setting in
      setting.setProperty(NM_SETTING_CONNECTION_ID, to: Self.displayName(of: request.ssid))
      setting.setProperty(NM_SETTING_CONNECTION_UUID, to: uuid)
      setting.setProperty(NM_SETTING_CONNECTION_TYPE, to: NM_SETTING_WIRELESS_SETTING_NAME)
      setting.setProperty(NM_SETTING_CONNECTION_AUTOCONNECT, to: true)
      // For ever: a board without a keyboard has no other way back.
      setting.setProperty(NM_SETTING_CONNECTION_AUTOCONNECT_RETRIES, to: Int32(0))
      setting.setProperty(NM_SETTING_CONNECTION_AUTOCONNECT_PRIORITY, to: request.priority)
      if let interface { setting.setProperty(NM_SETTING_CONNECTION_INTERFACE_NAME, to: interface) }
    }
    add(nm_setting_wireless_new(), to: result) { setting in
      setting.setProperty(NM_SETTING_WIRELESS_SSID, to: request.ssid)
      setting.setProperty(NM_SETTING_WIRELESS_MODE, to: NM_SETTING_WIRELESS_MODE_INFRA)
      setting.setProperty(NM_SETTING_WIRELESS_HIDDEN, to: isHidden)
    }
    addSecurity(to: result)
    add(nm_setting_ip4_config_new(), to: result) { setting in
      Self.fill(setting, request.ipv4, off: NM_SETTING_IP4_CONFIG_METHOD_DISABLED)
    }
    add(nm_setting_ip6_config_new(), to: result) { setting in
      Self.fill(setting, request.ipv6, off: NM_SETTING_IP6_CONFIG_METHOD_DISABLED)
    }
    return result
  }

  private func addSecurity(to connection: ObjectReference) {
    guard let word = management.word else { return }
    add(nm_setting_wireless_security_new(), to: connection) { setting in
      setting.setProperty(NM_SETTING_WIRELESS_SECURITY_KEY_MGMT, to: word)
      if management == .pskWithoutSAE {
        setting.setProperty(
          NM_SETTING_WIRELESS_SECURITY_PMF,
          to: Int32(NM_SETTING_WIRELESS_SECURITY_PMF_DISABLE.rawValue))
      }
      if management != .eap, management != .owe, let password = request.password {
        setting.setProperty(NM_SETTING_WIRELESS_SECURITY_PSK, toSecret: password)
      }
    }
    if management == .eap, let login = request.login {
      add(nm_setting_802_1x_new(), to: connection) { login.fill($0) }
    }
  }

  /// How long somebody else who has the address is listened for, in milliseconds.
  private static let conflictLimit: Int32 = 1000

  private static func fill(_ setting: ObjectReference, _ settings: IPSettings, off: String) {
    // An address of the other family alone would count as connected otherwise.
    setting.setProperty(NM_SETTING_IP_CONFIG_MAY_FAIL, to: !settings.isRequired)
    switch settings {
    case .automatic, .optional:
      // The word is the same for both families.
      setting.setProperty(NM_SETTING_IP_CONFIG_METHOD, to: NM_SETTING_IP4_CONFIG_METHOD_AUTO)
    case .off: setting.setProperty(NM_SETTING_IP_CONFIG_METHOD, to: off)
    case .manual(let fixed):
      setting.setProperty(NM_SETTING_IP_CONFIG_METHOD, to: NM_SETTING_IP4_CONFIG_METHOD_MANUAL)
      // Looks whether somebody else has it: nobody gave it to the device.
      setting.setProperty(NM_SETTING_IP_CONFIG_DAD_TIMEOUT, to: Self.conflictLimit)
      let family = fixed.address.contains(":") ? AF_INET6 : AF_INET
      if let address = nm_ip_address_new(
        family, fixed.address, guint(fixed.prefixLength), nil)
      {
        nm_setting_ip_config_add_address(setting.pointer, address)
        nm_ip_address_unref(address)
      }
      if let gateway = fixed.gateway {
        setting.setProperty(NM_SETTING_IP_CONFIG_GATEWAY, to: gateway)
      }
      for server in fixed.nameservers { nm_setting_ip_config_add_dns(setting.pointer, server) }
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
    let name = String(cString: text)
    // A text of C ends at the SSID's first byte of zero.
    return name.isEmpty ? "Wi-Fi" : name
  }
}
