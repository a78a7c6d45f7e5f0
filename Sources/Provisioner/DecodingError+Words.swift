internal import CBOR
internal import ProvisioningProtocol

extension DeviceInformation.DecodingError {
  /// What is wrong with the value, as the end of a sentence.
  var words: String {
    switch self {
    case .length(let count):
      "it has \(count) bytes instead of 1 to \(DeviceInformation.maximumLength)"
    case .malformed(let error): error.words
    case .notAMap: "it is no CBOR map"
    case .missing(let key): "it lacks the key \(key.rawValue) (\(key))"
    case .wrongType(let key): "the value of key \(key.rawValue) (\(key)) has the wrong type"
    case .unsupportedVersion(let version):
      "it is of protocol version \(version.major).\(version.minor)"
    case .stretching: "the parameters of its setup code are not those of this protocol"
    }
  }
}

extension MessageError {
  /// What is wrong with a message, as the end of a sentence.
  var words: String {
    switch self {
    case .malformed(let error): error.words
    case .notAMap: "it is no CBOR map"
    case .missing(let key): "it lacks the key \(key)"
    case .invalid(let key): "the value of key \(key) is wrong"
    case .unsupported(let key): "the value of key \(key) is not known"
    }
  }
}

extension CBORError {
  fileprivate var words: String {
    switch self {
    case .truncated: "it ends inside a CBOR item"
    case .malformed(let offset): "it is no CBOR from byte \(offset) on"
    case .invalidText(let offset): "the text at byte \(offset) is not UTF-8"
    case .duplicateKey: "a key stands in it twice"
    case .trailingBytes(let count): "\(count) bytes follow its end"
    case .tooLong(let count): "it has \(count) bytes, which is too long"
    case .tooDeep: "it is nested too deeply"
    case .tooManyItems: "it has too many items"
    }
  }
}

extension ProvisioningStatus.DecodingError {
  /// What is wrong with the value, as the end of a sentence.
  var words: String {
    switch self {
    case .truncated(let count):
      "it has \(count) bytes instead of \(ProvisioningStatus.encodedLength)"
    case .unsupportedVersion(let version): "it is of version \(version)"
    }
  }
}
