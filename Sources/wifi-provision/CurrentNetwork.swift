internal import DBus
internal import ProvisioningProtocol
internal import Secrets

/// The Wi-Fi network that this machine is in, from its NetworkManager.
///
/// Without libnm, which would double what the program loads.
struct CurrentNetwork: Sendable {
  private static let service = "org.freedesktop.NetworkManager"
  private static let manager = ObjectPath(literal: "/org/freedesktop/NetworkManager")
  private static let activeInterface = "org.freedesktop.NetworkManager.Connection.Active"
  private static let profileInterface = "org.freedesktop.NetworkManager.Settings.Connection"
  private static let wireless = "802-11-wireless"
  private static let security = "802-11-wireless-security"
  private static let enterprise = "802-1x"
  /// NM_ACTIVE_CONNECTION_STATE_ACTIVATED.
  private static let activated = 2
  /// How long a person may take to agree.
  private static let consentLimit = Duration.seconds(120)

  private typealias Setting = [String: Value]

  private let bus: Connection

  init(_ bus: Connection) { self.bus = bus }

  /// Finds the network, and asks for its secrets; polkit may ask the user.
  func describe() async throws(CurrentNetworkError) -> NetworkDescription {
    let profile = try await profile()
    let settings = try await call(profile, "GetSettings")
    guard let wireless = settings[Self.wireless], let bytes = wireless["ssid"]?.asBytes,
      let ssid = try? SSID(bytes), (wireless["mode"]?.asString ?? "infrastructure").isStation
    else { throw .noNetwork }
    var network = NetworkDescription(ssid: ssid, isHidden: wireless["hidden"]?.asBool ?? false)
    let kind = settings[Self.security]?["key-mgmt"]?.asString
    switch kind {
    case nil: network.security = .open
    case "owe": network.security = .owe
    case "wpa-psk": network.security = .wpaPSK
    case "sae": network.security = .sae
    case "wpa-eap": network.security = .wpaEAP
    case let kind?: throw .unsupported(ssid, kind)
    }
    if kind == "wpa-psk" || kind == "sae" {
      let secrets = try await call(profile, "GetSecrets", [.string(Self.security)])
      network.password = try password(secrets[Self.security]?["psk"])
    } else if kind == "wpa-eap" {
      network.enterprise = try await credentials(profile, settings[Self.enterprise] ?? [:], ssid)
    }
    // What a network is for this machine, such as WPA2 in transition, it need not be for the device.
    if !network.isHidden, network.enterprise == nil { network.security = nil }
    do throws(NetworkDescriptionError) {
      try network.check()
    } catch {
      throw .unusable(ssid, error)
    }
    return network
  }

  /// The profile of the network in use, the one for the internet first.
  private func profile() async throws(CurrentNetworkError) -> ObjectPath {
    do throws(BusError) {
      let paths =
        try await bus.property(
          "ActiveConnections", of: Self.service, Self.service, Self.manager
        ).asObjectPaths ?? []
      var found: ObjectPath?
      for path in paths {
        let properties = try await properties(of: path)
        guard properties["Type"]?.asString == Self.wireless,
          properties["State"]?.asInteger == Self.activated,
          let profile = properties["Connection"]?.asObjectPath
        else { continue }
        if properties["Default"]?.asBool == true { return profile }
        found = found ?? profile
      }
      if let found { return found }
    } catch {
      throw CurrentNetworkError(error)
    }
    throw .noNetwork
  }

  private func properties(of path: ObjectPath) async throws(BusError) -> [String: Value] {
    do throws(BusError) {
      let reply = try await bus.call(
        Self.service, path, StandardInterface.properties, "GetAll",
        [.string(Self.activeInterface)])
      return reply.first?.asDictionary ?? [:]
    } catch {
      // It may have gone meanwhile.
      if error.name == BusError.Name.unknownObject || error.name == BusError.Name.unknownMethod {
        return [:]
      }
      throw error
    }
  }

  private func call(
    _ profile: ObjectPath, _ member: String, _ arguments: [Value] = []
  ) async throws(CurrentNetworkError) -> [String: Setting] {
    do throws(BusError) {
      let reply = try await bus.call(
        Self.service, profile, Self.profileInterface, member, arguments,
        timeout: Self.consentLimit, mayAskUser: true)
      return (reply.first?.asDictionary ?? [:]).compactMapValues(\.asDictionary)
    } catch {
      throw CurrentNetworkError(error)
    }
  }

  private func password(_ value: Value?) throws(CurrentNetworkError) -> WiFiPassword {
    guard let text = value?.asString, !text.isEmpty,
      let password = try? WiFiPassword(SecretBytes(text.utf8))
    else { throw .noPassword }
    return password
  }

  private func credentials(
    _ profile: ObjectPath, _ setting: Setting, _ ssid: SSID
  ) async throws(CurrentNetworkError) -> EnterpriseCredentials {
    guard let word = setting["eap"]?.asStrings?.first, let method = EAPMethod(rawValue: word),
      method != .tls
    else { throw .unsupported(ssid, setting["eap"]?.asStrings?.first ?? "802.1X") }
    var result = EnterpriseCredentials(
      method: method, identity: setting["identity"]?.asString ?? "",
      anonymousIdentity: setting["anonymous-identity"]?.asString,
      domainSuffix: setting["domain-suffix-match"]?.asString,
      usesSystemCAs: setting["system-ca-certs"]?.asBool ?? false)
    if let inside = setting["phase2-autheap"]?.asString ?? setting["phase2-auth"]?.asString {
      guard let phase2 = Phase2Method(rawValue: inside) else { throw .unsupported(ssid, inside) }
      result.phase2 = phase2
    }
    if let stored = setting["ca-cert"]?.asBytes {
      result.caCertificate = try certificate(stored, ssid)
      result.usesSystemCAs = false
    }
    let secrets = try await call(profile, "GetSecrets", [.string(Self.enterprise)])
    result.password = try password(secrets[Self.enterprise]?["password"])
    return result
  }

  /// A certificate as NetworkManager keeps it: its bytes, or a path to them.
  private func certificate(
    _ stored: [UInt8], _ ssid: SSID
  ) throws(CurrentNetworkError) -> [UInt8] {
    let scheme = Array("file://".utf8)
    guard stored.starts(with: scheme) else { return stored }
    let path = Array(stored.dropFirst(scheme.count).prefix { $0 != 0 })
    do throws(SecretError) {
      return Array(try SecretSource.file(path).read(.caCertificate))
    } catch {
      throw .certificate(ssid, error.message)
    }
  }
}

extension String {
  /// Whether a network in this mode is one of others.
  fileprivate var isStation: Bool { isEmpty || self == "infrastructure" }
}
