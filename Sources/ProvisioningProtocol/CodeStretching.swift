package import Cryptography

/// How a device's setup code is stretched: scrypt's salt and cost.
package struct CodeStretching: Hashable, Sendable {
  /// How many bytes a salt may have.
  package static let saltLength = 16...32
  /// How large scrypt's N may be, always a power of two: no less than holds a guesser up who has
  /// stolen a device's record, no more than 64 MiB of a provisioner's memory.
  package static let costs: ClosedRange<UInt64> = 16_384...65_536

  /// Scrypt's block size, r.
  package static let blockSize: UInt64 = 8
  /// Scrypt's parallelization, p.
  package static let parallelization: UInt64 = 1

  package let salt: [UInt8]
  /// Scrypt's N.
  package let cost: UInt64

  /// Why a provisioner does not stretch as a device asks.
  package enum LimitError: Error, Hashable, Sendable {
    case saltLength(Int)
    case cost(UInt64)
    /// Not a map with salt, N, r and p, or another r or p than this protocol's.
    case parameters
  }

  package init(salt: [UInt8], cost: UInt64 = costs.lowerBound) throws(LimitError) {
    guard Self.saltLength.contains(salt.count) else { throw .saltLength(salt.count) }
    guard Self.costs.contains(cost), cost.nonzeroBitCount == 1 else { throw .cost(cost) }
    self.salt = salt
    self.cost = cost
  }

  /// The usual stretching of a device's code, which a provisioner can begin before it is told.
  ///
  /// Its salt is the first 16 bytes of SHA-256 of `wifi-provisioning salt` and the device id, its
  /// cost the lowest.
  ///
  /// - Throws: an error of OpenSSL, for want of memory.
  package init(usualFor device: DeviceID) throws(CryptographyError) {
    let hash = try SHA256.hash(of: Array("wifi-provisioning salt".utf8) + device.bytes)
    salt = Array(hash.prefix(Self.saltLength.lowerBound))
    cost = Self.costs.lowerBound
  }
}
