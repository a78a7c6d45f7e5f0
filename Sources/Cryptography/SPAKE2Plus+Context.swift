extension SPAKE2Plus {
  /// What both sides must agree on beside the password: the key is another if they do not.
  package struct Context: Hashable, Sendable {
    /// The protocol, and whatever else its messages have settled so far.
    package var label: [UInt8]
    /// The prover's name.
    package var prover: [UInt8]
    /// The verifier's name.
    package var verifier: [UInt8]

    package init(label: [UInt8], prover: [UInt8], verifier: [UInt8]) {
      self.label = label
      self.prover = prover
      self.verifier = verifier
    }
  }

  /// A length as the RFC writes it: eight bytes, little-endian.
  static func lengthPrefix(_ count: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }
}
