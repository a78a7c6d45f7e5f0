internal import Glibc
internal import ProvisioningProtocol
internal import Secrets

/// The network that the command line describes, and where its secrets and certificates are.
struct NetworkInput: Equatable, Sendable {
  /// All that the command line says itself.
  var network: NetworkDescription
  /// Where the password is; nil for a network without one.
  ///
  /// With TLS it is the passphrase of the key, and asked for only where the key is encrypted and
  /// nothing else is said.
  var password: SecretSource?
  /// Paths, as the shell passed them.
  var caCertificate: [UInt8]?
  var clientCertificate: [UInt8]?
  var clientKey: [UInt8]?

  init(
    _ network: NetworkDescription, password: SecretSource?, caCertificate: [UInt8]? = nil,
    clientCertificate: [UInt8]? = nil, clientKey: [UInt8]? = nil
  ) {
    self.network = network
    self.password = password
    self.caCertificate = caCertificate
    self.clientCertificate = clientCertificate
    self.clientKey = clientKey
  }

  /// Reads what is not on the command line, and checks that all of it belongs together; blocks
  /// until it is there.
  ///
  /// - Parameter warn: told what a person should know, in words.
  func read(_ warn: (String) -> Void) throws(SecretError) -> NetworkDescription {
    var network = network
    if var enterprise = network.enterprise {
      enterprise.caCertificate = try Self.file(caCertificate, .caCertificate)
      enterprise.clientCertificate = try Self.file(clientCertificate, .clientCertificate)
      if let clientKey {
        if Self.isOpenToAll(clientKey) {
          warn("every user of this machine can read the key ‘\(printableText(clientKey))’")
        }
        enterprise.clientKey = try SecretSource.file(clientKey).read(.clientKey)
      }
      let isEncrypted = enterprise.clientKey.map(Self.isEncrypted) ?? false
      if let source = password ?? (isEncrypted ? .terminal : nil) {
        enterprise.password = try Self.password(from: source, isEncrypted ? .passphrase : .password)
      }
      network.enterprise = enterprise
    } else if let password {
      network.password = try Self.password(from: password, .password)
    }
    do throws(NetworkDescriptionError) {
      try network.check()
    } catch {
      throw SecretError(.password, .network(error))
    }
    return network
  }

  private static func password(
    from source: SecretSource, _ secret: Secret
  ) throws(SecretError) -> WiFiPassword {
    let bytes = try source.read(secret)
    do throws(WiFiPassword.FormatError) {
      return try WiFiPassword(bytes)
    } catch {
      // The length is checked.
      throw SecretError(secret, .notText)
    }
  }

  private static func file(
    _ path: [UInt8]?, _ secret: Secret
  ) throws(SecretError) -> [UInt8]? {
    guard let path else { return nil }
    return Array(try SecretSource.file(path).read(secret))
  }

  /// Whether a key in PEM says that it needs a passphrase.
  private static func isEncrypted(_ key: SecretBytes) -> Bool {
    let word = Array("ENCRYPTED".utf8)
    return key.indices.contains { key[$0...].starts(with: word) }
  }

  private static func isOpenToAll(_ path: [UInt8]) -> Bool {
    var status = stat()
    let found = (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { path in
      path.baseAddress.map { stat($0, &status) } ?? -1
    }
    return found == 0 && status.st_mode & S_IROTH != 0
  }
}
