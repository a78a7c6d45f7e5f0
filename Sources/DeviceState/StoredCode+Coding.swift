internal import CBOR
internal import Cryptography
internal import ProvisioningProtocol
internal import Secrets

extension StoredCode {
  /// Counts up when a reader of this one would misunderstand what is written.
  private static let format: UInt64 = 1

  private enum Key: UInt64 {
    case format
    case device
    case stretching
    case record
    case code
  }

  /// The contents of the file: a map in deterministic CBOR.
  var encoded: SecretBytes {
    func entry(_ key: Key, _ value: CBORValue) -> CBORValue.Entry {
      CBORValue.Entry(.unsigned(key.rawValue), value)
    }
    var entries = [
      entry(.format, .unsigned(Self.format)),
      entry(.device, CBORValue(bytes: device.bytes)),
      entry(.stretching, verifier.stretching.value),
      entry(.record, .bytes(verifier.record.encoded)),
    ]
    if let code { entries.append(entry(.code, .bytes(code.digits))) }
    return CBORValue.map(entries).encodedSecret
  }

  /// Reads the contents of the file; unknown keys are ignored.
  init(decoding bytes: SecretBytes) throws(StateError.Problem) {
    guard case .map(let entries)? = try? CBORValue(decoding: bytes) else { throw .corrupt }
    func value(_ key: Key) -> CBORValue? {
      entries.first { $0.key == .unsigned(key.rawValue) }?.value
    }
    guard case .unsigned(let format)? = value(.format) else { throw .corrupt }
    guard format == Self.format else { throw .laterVersion(format) }
    guard case .bytes(let id)? = value(.device), let device = DeviceID(bytes: id),
      let stretching = try? value(.stretching).map({ try CodeStretching($0) }),
      case .bytes(let encoded)? = value(.record),
      let record = try? SPAKE2Plus.Record(decoding: encoded)
    else { throw .corrupt }
    var code: SetupCode?
    if let stored = value(.code) {
      guard case .bytes(let digits) = stored, let valid = try? SetupCode(digits) else {
        throw .corrupt
      }
      code = valid
    }
    self.init(
      device: device, verifier: CodeVerifier(record: record, stretching: stretching), code: code)
  }
}
