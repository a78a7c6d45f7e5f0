/// What a link must be for an access.
enum LinkNeed: Int, Comparable {
  case none
  case encryption
  case authentication

  static func < (a: LinkNeed, b: LinkNeed) -> Bool { a.rawValue < b.rawValue }

  /// What a client without pairing is told; nil where it may go on.
  var errorWithoutPairing: ATTError? {
    switch self {
    case .none: nil
    case .encryption: .insufficientEncryption
    case .authentication: .insufficientAuthentication
    }
  }
}
