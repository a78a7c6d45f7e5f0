/// Why a side ends a session, as its last message says it.
package enum AbortReason: Hashable, Sendable {
  /// A message or a segment that cannot be read, or that may not come now.
  case malformed
  /// The proof does not match.
  ///
  /// From the device with how many guesses are left before it locks; from the provisioner without.
  case wrongCode(guessesLeft: UInt8?)
  /// Too many wrong codes: no new handshake before so many seconds have passed.
  case lockedOut(seconds: UInt16)
  /// Another provisioner has the session.
  case busy
  case timedOut
  /// The device does not offer the secure profile.
  case notEnabled
  /// A reason of a later minor version.
  case other(UInt8)
}

extension AbortReason {
  /// The bytes after the message's type.
  var encoded: [UInt8] {
    switch self {
    case .malformed: [1]
    case .wrongCode(nil): [2]
    case .wrongCode(let left?): [2, left]
    case .lockedOut(let seconds): [3, UInt8(seconds & 0xFF), UInt8(seconds >> 8)]
    case .busy: [4]
    case .timedOut: [5]
    case .notEnabled: [6]
    case .other(let code): [code]
    }
  }

  /// Reads the bytes after the message's type; what later minor versions append is ignored.
  init?(decoding bytes: some Collection<UInt8>) {
    let bytes = Array(bytes.prefix(3))
    guard let code = bytes.first else { return nil }
    switch code {
    case 1: self = .malformed
    case 2: self = .wrongCode(guessesLeft: bytes.dropFirst().first)
    case 3:
      guard bytes.count == 3 else { return nil }
      self = .lockedOut(seconds: UInt16(bytes[1]) | UInt16(bytes[2]) << 8)
    case 4: self = .busy
    case 5: self = .timedOut
    case 6: self = .notEnabled
    default: self = .other(code)
    }
  }
}
