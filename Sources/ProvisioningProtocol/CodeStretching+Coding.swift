package import CBOR

extension CodeStretching {
  /// The map of salt, N, r and p for the device information.
  package var value: CBORValue {
    .map([
      CBORValue.Entry(.unsigned(0), CBORValue(bytes: salt)),
      CBORValue.Entry(.unsigned(1), .unsigned(cost)),
      CBORValue.Entry(.unsigned(2), .unsigned(Self.blockSize)),
      CBORValue.Entry(.unsigned(3), .unsigned(Self.parallelization)),
    ])
  }

  /// Reads the map; unknown keys are ignored.
  package init(_ value: CBORValue) throws(LimitError) {
    guard case .map(let entries) = value else { throw .parameters }
    func entry(_ key: UInt64) -> CBORValue? { entries.first { $0.key == .unsigned(key) }?.value }
    guard case .bytes(let salt) = entry(0), case .unsigned(let cost) = entry(1),
      entry(2) == .unsigned(Self.blockSize), entry(3) == .unsigned(Self.parallelization)
    else { throw .parameters }
    try self.init(salt: Array(salt), cost: cost)
  }
}
