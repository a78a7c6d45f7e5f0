package import Cryptography

/// What a device needs for secure sessions beside the time: whom it lets in, and what it has said of
/// itself.
package struct SecureSetup: Sendable {
  /// How many guesses of the code were stored as wrong.
  let wrongGuesses: UInt32

  private let deviceID: DeviceID
  private let information: [UInt8]
  private let record: SPAKE2Plus.Record
  private let scalar: P256Scalar?
  /// Made for the first handshake: much of OpenSSL is not in memory before that.
  private var prepared: (record: SPAKE2Plus.PreparedRecord, context: SPAKE2Plus.Context)?

  /// - Parameters:
  ///   - information: the value of the device information characteristic, byte for byte.
  ///   - scalar: nil for a random one in each handshake; only test vectors may fix it.
  package init(
    deviceID: DeviceID, information: [UInt8], record: SPAKE2Plus.Record, wrongGuesses: UInt32 = 0,
    scalar: P256Scalar? = nil
  ) {
    self.deviceID = deviceID
    self.information = information
    self.record = record
    self.wrongGuesses = wrongGuesses
    self.scalar = scalar
  }

  /// Begins a handshake; `invalidPoint` when the share cannot be one.
  mutating func verifier(
    answering share: [UInt8]
  ) throws(CryptographyError) -> SPAKE2Plus.Verifier {
    let (record, context) = try prepare()
    guard let scalar else {
      return try SPAKE2Plus.Verifier(record: record, context: context, proverShare: share)
    }
    return try SPAKE2Plus.Verifier(
      record: record, context: context, proverShare: share, scalar: scalar)
  }

  private mutating func prepare() throws(CryptographyError) -> (
    SPAKE2Plus.PreparedRecord, SPAKE2Plus.Context
  ) {
    if let prepared { return prepared }
    let record = try SPAKE2Plus.PreparedRecord(record)
    let context = try SPAKE2Plus.Context(deviceID: deviceID, information: information)
    prepared = (record, context)
    return (record, context)
  }
}
