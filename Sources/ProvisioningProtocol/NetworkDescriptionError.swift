/// Why a description of a network makes no sense, whatever the network is like.
package enum NetworkDescriptionError: Error, Hashable, Sendable {
  /// A part of a description, for words.
  package enum Part: Hashable, Sendable {
    case identity
    case anonymousIdentity
    case domain
    case caCertificate
    case clientCertificate
    case clientKey

    /// As part of a sentence.
    var words: String {
      switch self {
      case .identity: "identity"
      case .anonymousIdentity: "anonymous identity"
      case .domain: "domain"
      case .caCertificate: "CA certificate"
      case .clientCertificate: "client certificate"
      case .clientKey: "client key"
      }
    }
  }

  /// The password is none for this kind of network.
  case password(WiFiPassword.FormatError)
  /// The kind is 802.1X, and nothing says who the device is.
  case enterpriseMissing
  /// It says who the device is, and the kind is another.
  case enterpriseUnexpected
  /// There is a password for the network beside the identity's.
  case passwordBesideEnterprise
  case enterprisePasswordMissing
  /// A text that is empty, too long, or with control characters.
  case text(Part)
  /// The method has no such proof inside.
  case phase2(EAPMethod)
  /// A client certificate or key with a method that has none.
  case certificateWithoutTLS
  case clientCertificateMissing
  case clientKeyMissing
  /// Neither PEM nor DER.
  case certificateForm(Part)
  /// Nothing says whom to believe, and nothing that everybody is believed.
  case serverNotValidated
  /// Every authority of the system is believed, for any server.
  case domainMissing
  /// More than one of: a certificate, the system's authorities, no validation.
  case validationContradicted
  case prefixLength(Int, limit: Int)
  /// No address that a machine can have in that network.
  case address(String)
  /// Not in the address's network, or no machine's address.
  case gateway(String)
  case server(String)
  case tooManyServers(Int)
  /// Neither IPv4 nor IPv6.
  case noAddresses
  /// Outside of −999 to 999.
  case priority
  /// All of it, certificates above all, is more than a message holds.
  case tooLong(Int)
}

extension NetworkDescriptionError {
  /// The reason that a device answers with.
  package var reason: Reason {
    if case .password = self { .passwordFormat } else { .invalidSettings }
  }

  /// What is wrong, as a sentence for a person.
  package var words: String {
    switch self {
    case .password(.unexpected): "A network of this kind has no password, and one was given."
    case .password(.missing): "The password is missing."
    case .password: Reason.passwordFormat.explanation
    case .enterpriseMissing: "A network with 802.1X needs an identity and a method."
    case .enterpriseUnexpected: "Only a network with 802.1X has an identity and certificates."
    case .passwordBesideEnterprise: "A network with 802.1X has no password but the identity's."
    case .enterprisePasswordMissing: "The identity's password is missing."
    case .text(let part):
      "The \(part.words) has 1 to 253 bytes, without control characters."
    case .phase2(.tls): "TLS proves a certificate, and no password inside."
    case .phase2(let method): "\(method.rawValue.uppercased()) cannot carry this inside."
    case .certificateWithoutTLS: "Only the method TLS has a client certificate and its key."
    case .clientCertificateMissing: "The method TLS needs a client certificate."
    case .clientKeyMissing: "The method TLS needs the key of the client certificate."
    case .certificateForm(let part): "The \(part.words) is neither PEM nor DER."
    case .serverNotValidated: "Nothing says how to tell that the network is the true one."
    case .domainMissing:
      "With the system's authorities alone, whoever has a certificate could be the network."
    case .validationContradicted:
      "A CA certificate, the system's authorities and no validation exclude each other."
    case .prefixLength(let length, let limit):
      "A prefix has 1 to \(limit) bits, this one \(length)."
    case .address(let address): "No machine can have the address \(address) in that network."
    case .gateway(let address): "The gateway \(address) cannot be reached from that address."
    case .server(let address): "No name server can have the address \(address)."
    case .tooManyServers(let count):
      "There may be \(ManualAddress<IPv4Address>.maximumServers) name servers, not \(count)."
    case .noAddresses: "A device without IPv4 and IPv6 can reach nothing."
    case .tooLong(let count):
      """
      Certificates and key are together \(count) bytes, and \(NetworkDescription.maximumLength) is \
      the most: leave out what is not needed of a chain, or use DER.
      """
    case .priority: "A priority is a number from -999 to 999."
    }
  }

  /// What to do, as a sentence for a person.
  package var advice: String {
    switch self {
    case .password: Reason.passwordFormat.advice
    case .serverNotValidated, .domainMissing:
      """
      Give the network's CA certificate, or the system's authorities and the server's domain; or \
      say in so many words that the server is not to be validated.
      """
    default: Reason.invalidSettings.advice
    }
  }
}

extension RequestFailure {
  init(_ error: NetworkDescriptionError) {
    self.init(reason: error.reason, explanation: error.words, advice: error.advice)
  }
}
