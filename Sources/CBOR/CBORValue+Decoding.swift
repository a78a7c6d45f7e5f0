package import Secrets

extension CBORValue {
  /// Reads one item that takes up all of `bytes`.
  ///
  /// Any well-formed encoding is taken, not the deterministic one alone. The stack does not grow
  /// with the input, and nothing is reserved for lengths that the input only claims.
  package init(decoding bytes: [UInt8], limits: CBORLimits = CBORLimits()) throws(CBORError) {
    self = try bytes.withUnsafeBufferPointer { (bytes) throws(CBORError) in
      try CBORValue(decoding: UnsafeRawBufferPointer(bytes), limits: limits)
    }
  }

  /// Reads one item as the other initializer does, and copies nothing that nobody wipes.
  package init(decoding bytes: SecretBytes, limits: CBORLimits = CBORLimits()) throws(CBORError) {
    self = try bytes.withUnsafeBytes { (bytes) throws(CBORError) in
      try CBORValue(decoding: bytes, limits: limits)
    }
  }

  private init(decoding bytes: UnsafeRawBufferPointer, limits: CBORLimits) throws(CBORError) {
    guard bytes.count <= limits.bytes else { throw .tooLong(count: bytes.count) }
    var builder = ValueBuilder(limits: limits)
    var offset = 0
    while true {
      let (token, length) = try Token.read(bytes, at: offset)
      if let value = try builder.add(token, at: offset) {
        offset += length
        guard offset == bytes.count else { throw .trailingBytes(count: bytes.count - offset) }
        self = value
        return
      }
      offset += length
    }
  }
}
