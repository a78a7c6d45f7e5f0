import Cryptography
import Secrets
import Testing

private let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"

private func scalar(_ hex: String) throws -> P256Scalar {
  try P256Scalar(SecretBytes(try #require(bytes(hex: hex))))
}

private func scalar(_ number: UInt8) throws -> P256Scalar {
  try P256Scalar(SecretBytes([UInt8](repeating: 0, count: 31) + [number]))
}

struct P256ScalarTests {
  @Test func isBetweenZeroAndTheOrder() throws {
    let last = try #require(bytes(hex: order)).dropLast() + [0x50]
    #expect(try P256Scalar(SecretBytes(last)).bytes.elementsEqual(last))
    #expect(throws: CryptographyError.invalidScalar) { try scalar(order) }
    #expect(throws: CryptographyError.invalidScalar) { try scalar(0) }
    for count in [0, 31, 33] {
      #expect(throws: CryptographyError.invalidScalar) {
        try P256Scalar(SecretBytes([UInt8](repeating: 1, count: count)))
      }
    }
  }

  @Test func isReducedByTheOrder() throws {
    let number = try #require(bytes(hex: order)).dropLast() + [0x58]
    #expect(
      try P256Scalar(reducing: SecretBytes([UInt8](repeating: 0, count: 8) + number))
        == scalar(7))
    // 2^256, computed apart.
    #expect(
      try P256Scalar(reducing: SecretBytes([0, 1] + [UInt8](repeating: 0, count: 32)))
        == scalar("00000000ffffffff00000000000000004319055258e8617b0c46353d039cdaaf"))
    for zero in [[], [UInt8](repeating: 0, count: 40), try #require(bytes(hex: order))] {
      #expect(throws: CryptographyError.invalidScalar) {
        try P256Scalar(reducing: SecretBytes(zero))
      }
    }
  }

  @Test func isRandom() throws {
    let scalars = try (0..<8).map { _ in try P256Scalar.random() }
    for (index, one) in scalars.enumerated() {
      #expect(!scalars.dropFirst(index + 1).contains(one))
    }
  }
}

struct P256PointTests {
  private let one: P256Point

  init() throws { one = try P256Point.generator(times: scalar(1)) }

  @Test func hasTheGeneratorOfTheStandard() throws {
    #expect(
      Array(one.bytes)
        == bytes(
          hex: """
            04
            6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296
            4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5
            """))
  }

  @Test func isAddedAndMultiplied() throws {
    let two = try P256Point.generator(times: scalar(1), plus: one)
    #expect(try two == P256Point.generator(times: scalar(2)))
    let three = try P256Point.generator(times: scalar(2), plus: one)
    #expect(try three == one.times(scalar(3)))
    #expect(try one.times(scalar(5)).minus(two) == three)
    #expect(try two.times(scalar(3)) == one.times(scalar(6)))
  }

  @Test func isNeverTheIdentity() throws {
    #expect(throws: CryptographyError.invalidPoint) { try one.minus(one) }
    let last = try #require(bytes(hex: order)).dropLast() + [0x50]
    let opposite = try one.times(P256Scalar(SecretBytes(last)))
    #expect(throws: CryptographyError.invalidPoint) {
      try P256Point.generator(times: scalar(1), plus: opposite)
    }
    #expect(throws: CryptographyError.invalidPoint) { try P256Point([0]) }
    #expect(throws: CryptographyError.invalidPoint) {
      try P256Point([0x04] + [UInt8](repeating: 0, count: 64))
    }
  }

  @Test func isOnTheCurve() throws {
    for index in one.bytes.indices {
      var changed = Array(one.bytes)
      changed[index] ^= 0x01
      #expect(throws: CryptographyError.invalidPoint) { try P256Point(changed) }
    }
    // The coordinate x + p is the same in the field, and a second name for the point.
    #expect(throws: CryptographyError.invalidPoint) {
      try P256Point([0x04] + [UInt8](repeating: 0xff, count: 64))
    }
  }

  @Test func hasOneForm() throws {
    let bytes = Array(one.bytes)
    for count in 0..<65 {
      #expect(throws: CryptographyError.invalidPoint) { try P256Point(bytes.prefix(count)) }
    }
    #expect(throws: CryptographyError.invalidPoint) { try P256Point(bytes + [0]) }
    // Compressed, and hybrid.
    #expect(throws: CryptographyError.invalidPoint) { try P256Point([0x03] + bytes[1..<33]) }
    #expect(throws: CryptographyError.invalidPoint) { try P256Point([0x07] + bytes[1...]) }
  }
}
