internal import CNetworkManager

/// A Wi-Fi profile that NetworkManager keeps.
struct SavedProfile {
  /// What a profile expects of the network; two of the same SSID replace each other only when
  /// this is equal.
  enum Kind: Hashable {
    case open
    case password
    case enterprise
    case other
  }

  /// The one name that survives a rewrite of the profile, as netplan does it.
  let uuid: String
  let ssid: [UInt8]
  /// Nil for what is not known here.
  let security: NetworkSecurity?
  /// The device that it is pinned to.
  let interface: String?
  /// Whether only some users may use it.
  let isPrivate: Bool
  /// Whether it is activated without being asked for.
  let connectsAutomatically: Bool
  /// Whether NetworkManager forgets it by itself, such as a trial.
  let isPassing: Bool

  var kind: Kind { security.map { Kind($0) } ?? .other }
}

extension SavedProfile.Kind {
  /// What a trial for such a network becomes when it is saved.
  init(_ security: NetworkSecurity) {
    switch security {
    case .open, .owe, .oweTransition: self = .open
    case .wpa2, .wpa2WPA3, .wpa3: self = .password
    case .enterprise: self = .enterprise
    case .wep, .enterprise192: self = .other
    }
  }
}

extension NetworkManagerClient {
  /// The infrastructure Wi-Fi profiles.
  var profiles: [SavedProfile] {
    guard let pointer, let connections = nm_client_get_connections(pointer) else { return [] }
    return (0..<Int(connections.pointee.len)).compactMap { index in
      connections.pointee.pdata[index].flatMap { SavedProfile(OpaquePointer($0)) }
    }
  }

  /// Those for an SSID, compared byte by byte.
  func profiles(of ssid: [UInt8]) -> [SavedProfile] { profiles.filter { $0.ssid == ssid } }

  /// The UUIDs of the profiles, of any type, that a device is connected with.
  var activeProfiles: Set<String> {
    guard let pointer, let active = nm_client_get_active_connections(pointer) else { return [] }
    return Set(
      (0..<Int(active.pointee.len)).compactMap { index in
        guard let connection = active.pointee.pdata[index].map({ OpaquePointer($0) }),
          nm_active_connection_get_state(connection) == NM_ACTIVE_CONNECTION_STATE_ACTIVATED
        else { return nil }
        return nm_active_connection_get_uuid(connection).map { String(cString: $0) }
      })
  }

  /// Begins to write a trial to the disk, as it is: what is in use is not to be changed.
  ///
  /// - Returns: what waits for the end; nil where the trial is gone.
  func beginSaving(_ profile: TrialProfile) -> Saving? {
    guard let remote = remoteConnection(uuid: profile.uuid) else { return nil }
    let (results, continuation) = AsyncStream.makeStream(of: ReadyResult.self)
    beginOperation(
      {
        nm_remote_connection_update2(
          remote.pointer, nil, NM_SETTINGS_UPDATE2_FLAG_TO_DISK, nil, nil, $0, $1)
      }, ready: { continuation.yield($0) })
    return Saving(remote: remote, results: results)
  }

  /// A profile that is being written.
  struct Saving {
    fileprivate let remote: ObjectReference
    fileprivate let results: AsyncStream<ReadyResult>

    /// Waits for the end.
    ///
    /// - Returns: whether it is on the disk.
    func isDone() async -> Bool {
      for await ready in results {
        guard let result = nm_remote_connection_update2_finish(remote.pointer, ready.pointer, nil)
        else { return false }
        g_variant_unref(result)
        return true
      }
      return false
    }
  }

  /// Deletes a profile; one that is gone already is no error.
  func deleteProfile(uuid: String) async throws(GLibError) {
    guard let remote = remoteConnection(uuid: uuid) else { return }
    let ready = await operation {
      nm_remote_connection_delete_async(remote.pointer, nil, $0, $1)
    }
    do {
      _ = try throwing {
        nm_remote_connection_delete_finish(remote.pointer, ready.pointer, $0) != 0 ? true : nil
      }
    } catch let error where error.isUnknownObject {}
  }

  /// Has a profile be forgotten when the device lets go of it.
  func makeVolatile(uuid: String) async {
    guard let remote = remoteConnection(uuid: uuid) else { return }
    await withCheckedContinuation { continuation in
      makeVolatile(remote) { _ in continuation.resume() }
    }
  }

  /// The D-Bus path of a profile; nil where there is none.
  func profilePath(uuid: String) -> String? {
    remoteConnection(uuid: uuid).flatMap { nm_object_get_path($0.pointer) }
      .map { String(cString: $0) }
  }

  private func remoteConnection(uuid: String) -> ObjectReference? {
    guard let pointer, let remote = nm_client_get_connection_by_uuid(pointer, uuid) else {
      return nil
    }
    return ObjectReference(retaining: remote)
  }
}

extension SavedProfile {
  /// Takes an `NMRemoteConnection`; nil unless it is an infrastructure Wi-Fi profile.
  fileprivate init?(_ connection: OpaquePointer) {
    guard nm_connection_is_type(connection, NM_SETTING_WIRELESS_SETTING_NAME) != 0,
      let wireless = nm_connection_get_setting_wireless(connection),
      let ssid = nm_setting_wireless_get_ssid(wireless),
      let uuid = nm_connection_get_uuid(connection)
    else { return nil }
    if let mode = nm_setting_wireless_get_mode(wireless) {
      guard String(cString: mode) == NM_SETTING_WIRELESS_MODE_INFRA else { return nil }
    }
    let management = nm_connection_get_setting_wireless_security(connection)
      .flatMap { nm_setting_wireless_security_get_key_mgmt($0) }.map { String(cString: $0) }
    let security: NetworkSecurity? =
      switch management {
      case nil: .open
      case "owe": .owe
      case "wpa-psk": .wpa2WPA3
      case "sae": .wpa3
      case "wpa-eap": .enterprise
      case "wpa-eap-suite-b-192": .enterprise192
      case "none", "ieee8021x": .wep
      default: nil
      }
    let common = nm_connection_get_setting_connection(connection)
    // Not "unsaved", which netplan's profiles are, too: they stand in /run.
    let passing =
      NM_SETTINGS_CONNECTION_FLAG_VOLATILE.rawValue | NM_SETTINGS_CONNECTION_FLAG_EXTERNAL.rawValue
    self.init(
      uuid: String(cString: uuid), ssid: [UInt8](gbytes: ssid), security: security,
      interface: nm_connection_get_interface_name(connection).map { String(cString: $0) },
      isPrivate: common.map { nm_setting_connection_get_num_permissions($0) > 0 } ?? false,
      connectsAutomatically: common.map { nm_setting_connection_get_autoconnect($0) != 0 } ?? false,
      isPassing: nm_remote_connection_get_flags(connection).rawValue & passing != 0)
  }
}
