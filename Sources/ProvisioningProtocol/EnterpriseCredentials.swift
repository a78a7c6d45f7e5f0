internal import CBOR
package import Secrets

/// Who the device is to a network with 802.1X, and whom it believes to be that network.
package struct EnterpriseCredentials: Equatable, Sendable {
  package var method: EAPMethod
  /// The user's or the device's name at the authentication server.
  package var identity: String
  /// The name that everybody in reach may hear; nil for `identity` itself.
  package var anonymousIdentity: String?
  /// Nil for MSCHAPv2, and with TLS.
  package var phase2: Phase2Method?
  /// The identity's password; with TLS the passphrase of the key, and empty for none.
  package var password: WiFiPassword
  /// What the server's certificate has to be signed by, as given: PEM or DER.
  package var caCertificate: [UInt8]?
  /// With TLS: who the device is, as given.
  package var clientCertificate: [UInt8]?
  /// With TLS: the key of that certificate, as given.
  package var clientKey: SecretBytes?
  /// What the server's name has to end in.
  package var domainSuffix: String?
  /// Believe every authority that the device's system believes; a domain has to narrow that.
  package var usesSystemCAs: Bool
  /// Believe whoever says to be this network: everybody in reach may learn the password.
  package var skipsValidation: Bool

  package init(
    method: EAPMethod, identity: String, anonymousIdentity: String? = nil,
    phase2: Phase2Method? = nil, password: WiFiPassword = .none, caCertificate: [UInt8]? = nil,
    clientCertificate: [UInt8]? = nil, clientKey: SecretBytes? = nil, domainSuffix: String? = nil,
    usesSystemCAs: Bool = false, skipsValidation: Bool = false
  ) {
    self.method = method
    self.identity = identity
    self.anonymousIdentity = anonymousIdentity
    self.phase2 = phase2
    self.password = password
    self.caCertificate = caCertificate
    self.clientCertificate = clientCertificate
    self.clientKey = clientKey
    self.domainSuffix = domainSuffix
    self.usesSystemCAs = usesSystemCAs
    self.skipsValidation = skipsValidation
  }
}

extension EnterpriseCredentials {
  private enum Key {
    static let method: UInt64 = 0
    static let identity: UInt64 = 1
    static let anonymousIdentity: UInt64 = 2
    static let phase2: UInt64 = 3
    static let password: UInt64 = 4
    static let caCertificate: UInt64 = 5
    static let clientCertificate: UInt64 = 6
    static let clientKey: UInt64 = 7
    static let domainSuffix: UInt64 = 8
    static let usesSystemCAs: UInt64 = 9
    static let skipsValidation: UInt64 = 10
  }

  init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    guard let method = EAPMethod(rawValue: try fields.requiredText(Key.method)) else {
      throw .unsupported(Key.method)
    }
    self.init(method: method, identity: try fields.text(Key.identity) ?? "")
    anonymousIdentity = try fields.text(Key.anonymousIdentity)
    if let word = try fields.text(Key.phase2) {
      guard let phase2 = Phase2Method(rawValue: word) else { throw .unsupported(Key.phase2) }
      self.phase2 = phase2
    }
    password = try fields.password(Key.password) ?? .none
    caCertificate = try fields.bytes(Key.caCertificate).map(Array.init)
    clientCertificate = try fields.bytes(Key.clientCertificate).map(Array.init)
    clientKey = try fields.bytes(Key.clientKey)
    domainSuffix = try fields.text(Key.domainSuffix)
    usesSystemCAs = try fields.bool(Key.usesSystemCAs) ?? false
    skipsValidation = try fields.bool(Key.skipsValidation) ?? false
  }

  var map: CBORValue {
    CBORValue(fields: [
      Key.method: .text(method.rawValue),
      Key.identity: .text(identity),
      Key.anonymousIdentity: anonymousIdentity.map { .text($0) },
      Key.phase2: phase2.map { .text($0.rawValue) },
      Key.password: password.isEmpty ? nil : .bytes(password.bytes),
      Key.caCertificate: caCertificate.map { CBORValue(bytes: $0) },
      Key.clientCertificate: clientCertificate.map { CBORValue(bytes: $0) },
      Key.clientKey: clientKey.map { .bytes($0) },
      Key.domainSuffix: domainSuffix.map { .text($0) },
      Key.usesSystemCAs: usesSystemCAs ? .bool(true) : nil,
      Key.skipsValidation: skipsValidation ? .bool(true) : nil,
    ])
  }
}

extension EnterpriseCredentials {
  /// Checks that its parts belong together.
  func check() throws(NetworkDescriptionError) {
    try Self.checkName(identity, .identity)
    if let anonymousIdentity { try Self.checkName(anonymousIdentity, .anonymousIdentity) }
    switch method {
    case .peap, .ttls:
      guard !password.isEmpty else { throw .enterprisePasswordMissing }
      guard clientCertificate == nil, clientKey == nil else { throw .certificateWithoutTLS }
      guard method == .ttls || phase2 != .pap else { throw .phase2(method) }
    case .tls:
      guard let clientCertificate else { throw .clientCertificateMissing }
      try Self.checkForm(clientCertificate, .clientCertificate)
      guard let clientKey else { throw .clientKeyMissing }
      try Self.checkForm(clientKey, .clientKey)
      guard phase2 == nil else { throw .phase2(method) }
    }
    try checkValidation()
  }

  private func checkValidation() throws(NetworkDescriptionError) {
    if skipsValidation {
      guard caCertificate == nil, !usesSystemCAs, domainSuffix == nil else {
        throw .validationContradicted
      }
      return
    }
    if let caCertificate {
      try Self.checkForm(caCertificate, .caCertificate)
      guard !usesSystemCAs else { throw .validationContradicted }
    } else {
      guard usesSystemCAs else { throw .serverNotValidated }
      guard domainSuffix != nil else { throw .domainMissing }
    }
    if let domainSuffix { try Self.checkName(domainSuffix, .domain) }
  }

  private static func checkName(
    _ text: String, _ part: NetworkDescriptionError.Part
  ) throws(NetworkDescriptionError) {
    guard (1...253).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { throw .text(part) }
  }

  /// Looks at the first bytes alone: what reads certificates says the rest.
  private static func checkForm(
    _ bytes: some Collection<UInt8>, _ part: NetworkDescriptionError.Part
  ) throws(NetworkDescriptionError) {
    let isDER = bytes.first == 0x30 && bytes.count > 16
    let pem = Array("-----BEGIN ".utf8)
    // What stands before the first such line in a file is a comment.
    let isPEM = bytes.starts(with: pem) || Self.contains(bytes, [0x0A] + pem)
    guard isDER || isPEM else { throw .certificateForm(part) }
  }

  private static func contains(_ bytes: some Collection<UInt8>, _ part: [UInt8]) -> Bool {
    var rest = bytes[...]
    while let start = rest.firstIndex(of: part[0]) {
      rest = rest[start...]
      if rest.starts(with: part) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
