internal import Cryptography

/// What the segments of the session characteristic carry: a type byte and a body.
package enum SessionMessage: Hashable, Sendable {
  /// The provisioner's first message: its share (shareP).
  case share([UInt8])
  /// The device's answer: its share and its proof (shareV, confirmV).
  case shareAndProof(share: [UInt8], proof: [UInt8])
  /// The provisioner's proof (confirmP), which ends the handshake.
  case proof([UInt8])
  /// The last message of a session that fails, from either side.
  case abort(AbortReason)
  /// A sealed record, from either side, after the handshake.
  case sealed([UInt8])

  /// The bytes that stand before a body.
  package enum Kind: UInt8, CaseIterable, Sendable {
    case share = 0x01
    case shareAndProof = 0x02
    case proof = 0x03
    case abort = 0x0F
    case sealed = 0x10
  }

  /// Why bytes are no message.
  package enum DecodingError: Error, Hashable, Sendable {
    case empty
    case unknownKind(UInt8)
    /// A body of a length that this kind does not have.
    case length(Kind, count: Int)
  }

  /// Reads a message; whether shares are points, and proofs right, is not looked at.
  package init(decoding bytes: [UInt8]) throws(DecodingError) {
    guard let first = bytes.first else { throw .empty }
    guard let kind = Kind(rawValue: first) else { throw .unknownKind(first) }
    let body = bytes.dropFirst()
    let wrongLength = DecodingError.length(kind, count: body.count)
    let (share, proof) = (SPAKE2Plus.shareCount, SPAKE2Plus.confirmationCount)
    switch kind {
    case .share:
      guard body.count == share else { throw wrongLength }
      self = .share(Array(body))
    case .shareAndProof:
      guard body.count == share + proof else { throw wrongLength }
      self = .shareAndProof(share: Array(body.prefix(share)), proof: Array(body.suffix(proof)))
    case .proof:
      guard body.count == proof else { throw wrongLength }
      self = .proof(Array(body))
    case .abort:
      guard let reason = AbortReason(decoding: body) else { throw wrongLength }
      self = .abort(reason)
    case .sealed:
      // A tag, and at least one byte before it: no message inside is empty.
      guard body.count > ChaCha20Poly1305.tagCount else { throw wrongLength }
      self = .sealed(Array(body))
    }
  }

  package var kind: Kind {
    switch self {
    case .share: .share
    case .shareAndProof: .shareAndProof
    case .proof: .proof
    case .abort: .abort
    case .sealed: .sealed
    }
  }

  /// The bytes to cut into segments.
  package var encoded: [UInt8] {
    let body =
      switch self {
      case .share(let share): share
      case .shareAndProof(let share, let proof): share + proof
      case .proof(let proof): proof
      case .abort(let reason): reason.encoded
      case .sealed(let record): record
      }
    return [kind.rawValue] + body
  }
}
