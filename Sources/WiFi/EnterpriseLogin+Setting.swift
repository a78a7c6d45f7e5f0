internal import CNetworkManager
internal import Secrets

extension EnterpriseLogin {
  /// Fills an `NMSetting8021x`.
  func fill(_ setting: ObjectReference) {
    nm_setting_802_1x_add_eap_method(setting.pointer, method.rawValue)
    setting.setProperty(NM_SETTING_802_1X_IDENTITY, to: identity)
    if let anonymousIdentity {
      setting.setProperty(NM_SETTING_802_1X_ANONYMOUS_IDENTITY, to: anonymousIdentity)
    }
    switch server {
    case .authority(let certificate):
      setting.setProperty(NM_SETTING_802_1X_CA_CERT, to: certificate)
    case .systemAuthorities: setting.setProperty(NM_SETTING_802_1X_SYSTEM_CA_CERTS, to: true)
    case .none: break
    }
    if let domainSuffix {
      setting.setProperty(NM_SETTING_802_1X_DOMAIN_SUFFIX_MATCH, to: domainSuffix)
    }
    switch method {
    case .peap, .ttls:
      setting.setProperty(NM_SETTING_802_1X_PHASE2_AUTH, to: phase2.rawValue)
      if let password { setting.setProperty(NM_SETTING_802_1X_PASSWORD, toSecret: password) }
    case .tls:
      if let clientCertificate {
        setting.setProperty(NM_SETTING_802_1X_CLIENT_CERT, to: clientCertificate)
      }
      if let clientKey { setting.setProperty(NM_SETTING_802_1X_PRIVATE_KEY, toBytes: clientKey) }
      if let password {
        setting.setProperty(NM_SETTING_802_1X_PRIVATE_KEY_PASSWORD, toSecret: password)
      } else {
        setting.setProperty(
          NM_SETTING_802_1X_PRIVATE_KEY_PASSWORD_FLAGS,
          toSecretFlags:
            NM_SETTING_SECRET_FLAG_NOT_REQUIRED)
      }
    }
  }
}

extension ObjectReference {
  /// The text is copied once, by the object, which wipes its copy.
  func setProperty(_ name: String, toSecret secret: SecretBytes) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: secret.count + 1, alignment: 1)
    secret.withUnsafeBytes { copy.copyMemory(from: $0) }
    copy[secret.count] = 0
    defer {
      if let base = copy.baseAddress { explicit_bzero(base, copy.count) }
      copy.deallocate()
    }
    if let base = copy.baseAddress {
      setProperty(name, toBorrowedText: base.assumingMemoryBound(to: CChar.self))
    }
  }

  /// The object shares one copy of the bytes, which keeps the secret until the last one is gone.
  fileprivate func setProperty(_ name: String, toBytes secret: SecretBytes) {
    secret.withUnsafeBytes { bytes in
      let boxed = g_bytes_new_with_free_func(
        bytes.baseAddress, gsize(bytes.count),
        { if let owner = $0 { Unmanaged<SecretBytes>.fromOpaque(owner).release() } },
        Unmanaged.passRetained(secret).toOpaque())
      setProperty(name, toBoxed: boxed)
      g_bytes_unref(boxed)
    }
  }
}
