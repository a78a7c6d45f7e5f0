import Cryptography
import Secrets
import Testing

struct SHA256Tests {
  @Test func hashesInParts() throws {
    // FIPS 180-4, the example of one block.
    let expected = bytes(hex: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(try SHA256.hash(of: Array("abc".utf8)) == expected)
    var hash = try SHA256()
    try hash.update(SecretBytes("a".utf8))
    try hash.update([])
    try hash.update(Array("bc".utf8))
    #expect(try Array(hash.finalize()) == expected)
  }
}

struct HMACSHA256Tests {
  @Test func matchesRFC4231() throws {
    let code = try HMACSHA256.code(
      for: Array("what do ya want for nothing?".utf8), key: SecretBytes("Jefe".utf8))
    #expect(
      Array(code)
        == bytes(hex: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
  }

  @Test func refusesAnEmptyKey() {
    #expect(throws: CryptographyError.invalidLength) {
      try HMACSHA256.code(for: [1], key: SecretBytes([]))
    }
  }
}

struct HKDFSHA256Tests {
  /// RFC 5869, appendix A.3.
  @Test func matchesTheRFCWithoutSalt() throws {
    let derived = try HKDFSHA256.derive(
      from: SecretBytes([UInt8](repeating: 0x0b, count: 22)), info: [], count: 42)
    #expect(
      Array(derived)
        == bytes(
          hex: """
            8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d
            9d201395faa4b61a96c8
            """))
  }

  @Test(arguments: [0, -1, 8161]) func refusesLengths(_ count: Int) {
    #expect(throws: CryptographyError.invalidLength) {
      try HKDFSHA256.derive(from: SecretBytes([1]), info: [], count: count)
    }
  }
}

struct ScryptTests {
  /// RFC 7914, section 12, third vector: the cost that the protocol uses.
  @Test func matchesTheRFC() throws {
    let derived = try Scrypt.derive(
      from: SecretBytes("pleaseletmein".utf8), salt: Array("SodiumChloride".utf8), n: 16384, r: 8,
      p: 1, count: 64)
    #expect(
      Array(derived)
        == bytes(
          hex: """
            7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
            d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
            """))
  }

  @Test func refusesWhatTakesTooMuchMemory() throws {
    for n: UInt64 in [0, 1, 3, 1 << 20, 1 << 40] {
      let error = #expect(throws: CryptographyError.self) {
        try Scrypt.derive(from: SecretBytes([1]), salt: [2], n: n, r: 8, p: 1, count: 32)
      }
      guard case .library("EVP_PBE_scrypt", _) = error else {
        Issue.record("n = \(n): \(String(describing: error))")
        continue
      }
    }
  }
}

struct ChaCha20Poly1305Tests {
  private let key = SecretBytes((0x80...0x9f).map { UInt8($0) })
  private let nonce: [UInt8] = [0x07, 0, 0, 0, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47]
  private let associatedData: [UInt8] = [
    0x50, 0x51, 0x52, 0x53, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7,
  ]
  private let plaintext = SecretBytes(
    ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
      + "future, sunscreen would be it.").utf8)

  private func seal(_ plaintext: SecretBytes) throws -> [UInt8] {
    try ChaCha20Poly1305.seal(plaintext, key: key, nonce: nonce, associatedData: associatedData)
  }

  private func open(_ sealed: [UInt8]) throws(CryptographyError) -> SecretBytes {
    try ChaCha20Poly1305.open(sealed, key: key, nonce: nonce, associatedData: associatedData)
  }

  /// RFC 8439, section 2.8.2.
  @Test func matchesTheRFC() throws {
    let sealed = try seal(plaintext)
    #expect(
      sealed
        == bytes(
          hex: """
            d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6
            3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36
            92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc
            3ff4def08e4b7a9de576d26586cec64b6116
            1ae10b594f09e26a7e902ecbd0600691
            """))
    #expect(try open(sealed) == plaintext)
  }

  @Test func sealsNothing() throws {
    let sealed = try seal(SecretBytes([]))
    #expect(sealed.count == 16)
    #expect(try open(sealed).isEmpty)
  }

  @Test func detectsEachChangedByte() throws {
    let sealed = try seal(plaintext)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 0x01
      #expect(throws: CryptographyError.notAuthentic) { try open(changed) }
    }
    for count in 16..<sealed.count {
      #expect(throws: CryptographyError.notAuthentic) { try open(Array(sealed.prefix(count))) }
    }
    for count in 0..<16 {
      #expect(throws: CryptographyError.invalidLength) { try open(Array(sealed.prefix(count))) }
    }
    for (nonce, data) in [(nonce, [0x51]), ([UInt8](repeating: 0, count: 12), associatedData)] {
      #expect(throws: CryptographyError.notAuthentic) {
        try ChaCha20Poly1305.open(sealed, key: key, nonce: nonce, associatedData: data)
      }
    }
  }

  @Test func refusesOtherLengths() {
    #expect(throws: CryptographyError.invalidLength) {
      try ChaCha20Poly1305.seal(
        plaintext, key: SecretBytes([1]), nonce: nonce, associatedData: [])
    }
    #expect(throws: CryptographyError.invalidLength) {
      try ChaCha20Poly1305.seal(plaintext, key: key, nonce: [1], associatedData: [])
    }
  }
}
