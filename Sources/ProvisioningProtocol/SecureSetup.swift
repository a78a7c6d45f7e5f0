package import Cryptography

/// What a device needs for secure sessions beside the time: whom it lets in, and what it has said of
/// itself.
package struct SecureSetup: Sendable {
  let record: SPAKE2Plus.PreparedRecord
  let context: SPAKE2Plus.Context
  /// How many guesses of the code were stored as wrong.
  let wrongGuesses: UInt32
  /// Nil for a random one in each handshake; only test vectors may fix it.
  let scalar: P256Scalar?

  /// `information` is the value of the device information characteristic, byte for byte.
  package init(
    deviceID: DeviceID, information: [UInt8], record: SPAKE2Plus.Record, wrongGuesses: UInt32 = 0,
    scalar: P256Scalar? = nil
  ) throws(CryptographyError) {
    self.record = try SPAKE2Plus.PreparedRecord(record)
    context = try SPAKE2Plus.Context(deviceID: deviceID, information: information)
    self.wrongGuesses = wrongGuesses
    self.scalar = scalar
  }

  func verifier(answering share: [UInt8]) throws(CryptographyError) -> SPAKE2Plus.Verifier {
    guard let scalar else {
      return try SPAKE2Plus.Verifier(record: record, context: context, proverShare: share)
    }
    return try SPAKE2Plus.Verifier(
      record: record, context: context, proverShare: share, scalar: scalar)
  }
}
