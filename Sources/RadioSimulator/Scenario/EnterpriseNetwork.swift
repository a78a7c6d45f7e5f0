/// Whom an access point lets in that asks an authentication server (802.1X).
package struct EnterpriseNetwork: Sendable, Equatable {
  /// How a station proves who it is.
  package enum Method: String, Sendable, CaseIterable {
    case peap
    case ttls
    case tls
  }

  /// What is spoken inside the tunnel of PEAP and TTLS.
  package enum InnerMethod: String, Sendable, CaseIterable {
    case mschapv2
    case pap
    case gtc
  }

  /// The methods that the server offers.
  package var methods: [Method]
  /// What it offers inside the tunnel.
  package var innerMethods: [InnerMethod]
  package var identity: String
  /// What belongs to the identity, with PEAP and TTLS.
  package var password: String?
  /// The certificate of who has signed the server's; a station that has another one turns away.
  package var caCertificate: [UInt8]?
  /// The name in the server's certificate.
  package var serverName: String
  /// The one certificate that the server knows, with TLS.
  package var clientCertificate: [UInt8]?

  /// Describes a network; by default with PEAP and MSCHAPv2.
  package init(
    methods: [Method] = [.peap], innerMethods: [InnerMethod] = [.mschapv2], identity: String,
    password: String? = nil, caCertificate: [UInt8]? = nil,
    serverName: String = "radius.example", clientCertificate: [UInt8]? = nil
  ) {
    self.methods = methods
    self.innerMethods = innerMethods
    self.identity = identity
    self.password = password
    self.caCertificate = caCertificate
    self.serverName = serverName
    self.clientCertificate = clientCertificate
  }
}
