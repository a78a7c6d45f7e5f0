import Cryptography
import Foundation
import Secrets
import Testing

/// The vector of RFC 9383, appendix C, as the specification's folder has it.
private struct Vector: Decodable {
  let context, idProver, idVerifier: String
  let w0, w1, L, x, y, shareP, shareV, confirmP, confirmV: String
  let sharedKey: String

  private enum CodingKeys: String, CodingKey {
    case context, idProver, idVerifier, w0, w1, L, x, y, shareP, shareV, confirmP, confirmV
    case sharedKey = "K_shared"
  }

  static func load() throws -> Vector {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../provisioning-spec/vectors/spake2plus-p256.json")
    return try JSONDecoder().decode(Vector.self, from: Data(contentsOf: file))
  }
}

struct SPAKE2PlusTests {
  private let vector: Vector
  private let context: SPAKE2Plus.Context
  private let credentials: SPAKE2Plus.Credentials
  private let record: SPAKE2Plus.Record
  private let shareP: [UInt8]
  private let shareV: [UInt8]
  private let confirmP: [UInt8]
  private let confirmV: [UInt8]

  init() throws {
    vector = try Vector.load()
    context = SPAKE2Plus.Context(
      label: Array(vector.context.utf8), prover: Array(vector.idProver.utf8),
      verifier: Array(vector.idVerifier.utf8))
    credentials = SPAKE2Plus.Credentials(
      w0: try Self.scalar(vector.w0), w1: try Self.scalar(vector.w1))
    record = try credentials.record()
    shareP = try #require(bytes(hex: vector.shareP))
    shareV = try #require(bytes(hex: vector.shareV))
    confirmP = try #require(bytes(hex: vector.confirmP))
    confirmV = try #require(bytes(hex: vector.confirmV))
  }

  private static func scalar(_ hex: String) throws -> P256Scalar {
    try P256Scalar(SecretBytes(try #require(bytes(hex: hex))))
  }

  private func prover() throws -> SPAKE2Plus.Prover {
    try SPAKE2Plus.Prover(
      credentials: credentials, context: context, scalar: Self.scalar(vector.x))
  }

  private func verifier(share: [UInt8]) throws -> SPAKE2Plus.Verifier {
    try SPAKE2Plus.Verifier(
      record: .init(record), context: context, proverShare: share, scalar: Self.scalar(vector.y))
  }

  @Test func matchesTheRFC() throws {
    #expect(Array(record.encoded) == bytes(hex: vector.w0 + vector.L))
    let prover = try prover()
    #expect(prover.share == shareP)
    let verifier = try verifier(share: shareP)
    #expect(verifier.share == shareV)
    #expect(verifier.confirmation == confirmV)
    let (confirmation, proverKey) = try prover.finish(
      verifierShare: shareV, verifierConfirmation: confirmV)
    #expect(confirmation == confirmP)
    #expect(Array(proverKey) == bytes(hex: vector.sharedKey))
    #expect(try verifier.finish(proverConfirmation: confirmP) == proverKey)
  }

  @Test func agreesWithRandomScalars() throws {
    let prover = try SPAKE2Plus.Prover(credentials: credentials, context: context)
    let verifier = try SPAKE2Plus.Verifier(
      record: .init(record), context: context, proverShare: prover.share)
    #expect(prover.share != shareP && verifier.share != shareV)
    let (confirmation, key) = try prover.finish(
      verifierShare: verifier.share, verifierConfirmation: verifier.confirmation)
    #expect(try verifier.finish(proverConfirmation: confirmation) == key)
  }

  @Test func refusesSharesThatAreNoPoints() throws {
    var offTheCurve = shareP
    offTheCurve[64] ^= 1
    let identity = [UInt8](repeating: 0, count: 65)
    for share in [[], [0], offTheCurve, identity, shareP + [0], Array(shareP.dropLast())] {
      #expect(throws: CryptographyError.invalidPoint) { try verifier(share: share) }
      let prover = try prover()
      #expect(throws: CryptographyError.invalidPoint) {
        try prover.finish(verifierShare: share, verifierConfirmation: confirmV)
      }
    }
  }

  /// With w0·M, Z would be the identity whatever the verifier's scalar is.
  @Test func refusesTheShareThatCancelsItself() throws {
    let m = try #require(
      bytes(
        hex: """
          04886e2f97ace46e55ba9dd7242579f2993b64e16ef3dcab95afd497333d8fa12f
          5ff355163e43ce224e0b0e65ff02ac8e5c7be09419c785e0ca547d55a12e2d20
          """))
    let share = try P256Point(m).times(Self.scalar(vector.w0))
    #expect(throws: CryptographyError.invalidPoint) { try verifier(share: Array(share.bytes)) }
  }

  @Test func detectsEachChangedByte() throws {
    let prover = try prover()
    let verifier = try verifier(share: shareP)
    for index in 0..<32 {
      var changed = confirmV
      changed[index] ^= 0x80
      #expect(throws: CryptographyError.notAuthentic) {
        try prover.finish(verifierShare: shareV, verifierConfirmation: changed)
      }
      changed = confirmP
      changed[index] ^= 0x80
      #expect(throws: CryptographyError.notAuthentic) {
        try verifier.finish(proverConfirmation: changed)
      }
    }
    for count in 0..<32 {
      #expect(throws: CryptographyError.notAuthentic) {
        try verifier.finish(proverConfirmation: Array(confirmP.prefix(count)))
      }
    }
    #expect(throws: CryptographyError.notAuthentic) {
      try verifier.finish(proverConfirmation: confirmV)
    }
  }

  @Test func failsWhenTheSidesDisagree() throws {
    var contexts = [context, context, context]
    contexts[0].label.append(0)
    contexts[1].prover.append(0)
    contexts[2].verifier.append(0)
    let prover = try prover()
    for context in contexts {
      let verifier = try SPAKE2Plus.Verifier(
        record: .init(record), context: context, proverShare: prover.share)
      #expect(throws: CryptographyError.notAuthentic) {
        try prover.finish(
          verifierShare: verifier.share, verifierConfirmation: verifier.confirmation)
      }
    }
  }

  @Test func failsWithAnotherPassword() throws {
    let other = SPAKE2Plus.Credentials(
      w0: try Self.scalar(vector.w1), w1: try Self.scalar(vector.w0))
    let prover = try SPAKE2Plus.Prover(credentials: other, context: context)
    let verifier = try SPAKE2Plus.Verifier(
      record: .init(record), context: context, proverShare: prover.share)
    #expect(throws: CryptographyError.notAuthentic) {
      try prover.finish(verifierShare: verifier.share, verifierConfirmation: verifier.confirmation)
    }
  }

  /// A recorded exchange is of no use with a verifier that has chosen another scalar.
  @Test func refusesAReplayedExchange() throws {
    let verifier = try SPAKE2Plus.Verifier(
      record: .init(record), context: context, proverShare: shareP)
    #expect(throws: CryptographyError.notAuthentic) {
      try verifier.finish(proverConfirmation: confirmP)
    }
  }

  @Test func keepsARecord() throws {
    #expect(try SPAKE2Plus.Record(decoding: record.encoded) == record)
    for count in 0..<97 {
      #expect(throws: CryptographyError.invalidLength) {
        try SPAKE2Plus.Record(decoding: SecretBytes(record.encoded.prefix(count)))
      }
    }
    var changed = Array(record.encoded)
    changed[96] ^= 1
    #expect(throws: CryptographyError.invalidPoint) {
      try SPAKE2Plus.Record(decoding: SecretBytes(changed))
    }
    #expect(throws: CryptographyError.invalidScalar) {
      try SPAKE2Plus.Record(
        decoding: SecretBytes([UInt8](repeating: 0, count: 32) + record.encoded.suffix(65)))
    }
  }

  @Test func writesTheStretchingInputOfTheRFC() {
    let input = SPAKE2Plus.Credentials.stretchingInput(
      password: SecretBytes([7]), prover: [1, 2], verifier: [])
    #expect(
      Array(input)
        == [1, 0, 0, 0, 0, 0, 0, 0, 7, 2, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func takesEightyStretchedBytes() throws {
    let stretched = SecretBytes((0..<80).map { UInt8($0) })
    let credentials = try SPAKE2Plus.Credentials(stretched: stretched)
    #expect(
      try credentials.record()
        == SPAKE2Plus.Credentials(
          w0: P256Scalar(reducing: SecretBytes((0..<40).map { UInt8($0) })),
          w1: P256Scalar(reducing: SecretBytes((40..<80).map { UInt8($0) }))
        ).record())
    #expect(throws: CryptographyError.invalidLength) {
      try SPAKE2Plus.Credentials(stretched: SecretBytes(stretched.dropLast()))
    }
  }
}
