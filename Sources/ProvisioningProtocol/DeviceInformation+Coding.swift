package import CBOR

extension DeviceInformation {
  /// Why device information cannot be written.
  package enum EncodingError: Error, Hashable, Sendable {
    /// More than 500 bytes: the texts are too long.
    case tooLong(count: Int)
  }

  /// Why bytes are no device information.
  package enum DecodingError: Error, Hashable, Sendable {
    /// None, or more than 500.
    case length(Int)
    case malformed(CBORError)
    case notAMap
    /// A key that must be there is not.
    case missing(Key)
    /// The value under a key has another type than the schema says.
    case wrongType(Key)
    case unsupportedVersion(Version)
    /// The setup code's parameters, and they are not to be used.
    case stretching(CodeStretching.LimitError)
  }

  /// The bytes of the characteristic's value.
  package func encoded() throws(EncodingError) -> [UInt8] {
    var entries: [CBORValue.Entry] = []
    func add(_ key: Key, _ value: CBORValue) {
      entries.append(CBORValue.Entry(.unsigned(key.rawValue), value))
    }
    add(.version, .array([.unsigned(version.major), .unsigned(version.minor)]))
    add(.deviceID, CBORValue(bytes: deviceID.bytes))
    add(.name, .text(name))
    if let model { add(.model, .text(model)) }
    if let firmware { add(.firmware, .text(firmware)) }
    add(.profiles, .array(profiles.map { .text($0.rawValue) }))
    add(.securities, .array(securities.map { .text($0.rawValue) }))
    add(.features, .array(features.map { .text($0.rawValue) }))
    if let stretching { add(.stretching, stretching.value) }
    let bytes = CBORValue.map(entries).encoded
    guard bytes.count <= Self.maximumLength else { throw .tooLong(count: bytes.count) }
    return bytes
  }

  /// Reads the characteristic's value; unknown keys, and unknown words in lists, are ignored.
  package init(decoding bytes: [UInt8]) throws(DecodingError) {
    guard (1...Self.maximumLength).contains(bytes.count) else { throw .length(bytes.count) }
    let map = try Map(decoding: bytes)
    let version = try map.version()
    guard version.major == Self.version.major else { throw .unsupportedVersion(version) }
    self.init(
      version: version, deviceID: try map.deviceID(),
      name: try map.requiredText(.name), model: try map.text(.model),
      firmware: try map.text(.firmware),
      profiles: try map.words(.profiles).compactMap(ProvisioningProfile.init),
      securities: try map.words(.securities).compactMap(NetworkSecurity.init),
      features: try map.words(.features).compactMap(DeviceFeature.init),
      stretching: try map.stretching())
  }

  /// The values by their keys, with the types that the schema asks for.
  private struct Map {
    private let entries: [CBORValue.Entry]

    init(decoding bytes: [UInt8]) throws(DecodingError) {
      let value: CBORValue
      do throws(CBORError) {
        value = try CBORValue(
          decoding: bytes, limits: CBORLimits(bytes: maximumLength, depth: 8, items: 256))
      } catch {
        throw .malformed(error)
      }
      guard case .map(let entries) = value else { throw .notAMap }
      self.entries = entries
    }

    private subscript(key: Key) -> CBORValue? {
      entries.first { $0.key == .unsigned(key.rawValue) }?.value
    }

    func version() throws(DecodingError) -> Version {
      guard let value = self[.version] else { throw .missing(.version) }
      // A later minor version may append to the list.
      guard case .array(let parts) = value, parts.count >= 2,
        case (.unsigned(let major), .unsigned(let minor)) = (parts[0], parts[1])
      else { throw .wrongType(.version) }
      return Version(major: major, minor: minor)
    }

    func deviceID() throws(DecodingError) -> DeviceID {
      guard let value = self[.deviceID] else { throw .missing(.deviceID) }
      guard case .bytes(let bytes) = value, let id = DeviceID(bytes: bytes) else {
        throw .wrongType(.deviceID)
      }
      return id
    }

    func text(_ key: Key) throws(DecodingError) -> String? {
      guard let value = self[key] else { return nil }
      guard case .text(let text) = value else { throw .wrongType(key) }
      return text
    }

    func requiredText(_ key: Key) throws(DecodingError) -> String {
      guard let text = try text(key) else { throw .missing(key) }
      return text
    }

    func stretching() throws(DecodingError) -> CodeStretching? {
      guard let value = self[.stretching] else { return nil }
      do throws(CodeStretching.LimitError) {
        return try CodeStretching(value)
      } catch {
        throw .stretching(error)
      }
    }

    /// The texts of a list; none where the key is missing.
    func words(_ key: Key) throws(DecodingError) -> [String] {
      guard let value = self[key] else { return [] }
      guard case .array(let items) = value else { throw .wrongType(key) }
      var words: [String] = []
      for item in items {
        guard case .text(let word) = item else { throw .wrongType(key) }
        words.append(word)
      }
      return words
    }
  }
}
