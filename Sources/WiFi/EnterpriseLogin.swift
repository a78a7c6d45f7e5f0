package import Secrets

/// Who the device is to an enterprise network (802.1X), and whom it believes to be that network.
///
/// Certificates and keys are PEM or DER, as wpa_supplicant reads them.
package struct EnterpriseLogin: Sendable {
  /// How the device proves who it is.
  package enum Method: String, Sendable {
    case peap
    case ttls
    case tls
  }

  /// How a password is proven inside of PEAP or TTLS.
  package enum Phase2: String, Sendable {
    case mschapv2
    case pap
    case gtc
  }

  /// Whose certificate the server may have.
  package enum ServerCheck: Sendable, Hashable {
    /// One that this authority signed.
    case authority([UInt8])
    /// One that any authority of the system signed.
    case systemAuthorities
    /// Anybody's: whoever says to be this network learns what the password proves.
    case none
  }

  package var method: Method
  package var identity: String
  /// The name that everybody in reach may hear; nil for ``identity``.
  package var anonymousIdentity: String?
  /// For PEAP and TTLS.
  package var phase2: Phase2
  /// The identity's password; for TLS the passphrase of the key, nil for none.
  package var password: SecretBytes?
  package var server: ServerCheck
  /// What the server's name has to end in.
  package var domainSuffix: String?
  package var clientCertificate: [UInt8]?
  package var clientKey: SecretBytes?

  package init(
    method: Method, identity: String, anonymousIdentity: String? = nil,
    phase2: Phase2 = .mschapv2, password: SecretBytes? = nil, server: ServerCheck,
    domainSuffix: String? = nil, clientCertificate: [UInt8]? = nil, clientKey: SecretBytes? = nil
  ) {
    self.method = method
    self.identity = identity
    self.anonymousIdentity = anonymousIdentity
    self.phase2 = phase2
    self.password = password
    self.server = server
    self.domainSuffix = domainSuffix
    self.clientCertificate = clientCertificate
    self.clientKey = clientKey
  }
}
