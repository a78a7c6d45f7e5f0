package import Secrets

/// One CBOR data item (RFC 8949).
///
/// Simple values other than false, true, null and undefined are not among them: nothing here has a
/// use for them, and decoding one is an error.
package indirect enum CBORValue: Equatable, Sendable {
  case unsigned(UInt64)
  /// The number −1 − n, so that the whole range of CBOR fits.
  case negative(UInt64)
  /// A byte string, which may be a secret: it is wiped when the last value with it goes.
  case bytes(SecretBytes)
  case text(String)
  case array([CBORValue])
  /// Entries in any order; encoding sorts them, decoding gives them sorted.
  case map([Entry])
  case tagged(UInt64, CBORValue)
  case bool(Bool)
  case null
  case undefined
  case float(Double)

  /// A byte string of a copy of `bytes`.
  package init(bytes: some Collection<UInt8>) { self = .bytes(SecretBytes(bytes)) }

  /// A key and its value in a map.
  package struct Entry: Equatable, Sendable {
    package var key: CBORValue
    package var value: CBORValue

    package init(_ key: CBORValue, _ value: CBORValue) {
      self.key = key
      self.value = value
    }
  }
}
