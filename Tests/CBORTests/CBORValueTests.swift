import CBOR
import Testing

private func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

private func error(_ input: [UInt8], _ limits: CBORLimits = CBORLimits()) -> CBORError? {
  do throws(CBORError) {
    _ = try CBORValue(decoding: input, limits: limits)
    return nil
  } catch {
    return error
  }
}

/// The examples of RFC 8949, appendix A.
private enum Examples {
  private static func array(_ numbers: ClosedRange<UInt64>) -> CBORValue {
    .array(numbers.map { .unsigned($0) })
  }

  /// Encoded as the deterministic encoding has it.
  static let deterministic: [(String, CBORValue)] = [
    ("00", .unsigned(0)), ("01", .unsigned(1)), ("0a", .unsigned(10)), ("17", .unsigned(23)),
    ("1818", .unsigned(24)), ("1819", .unsigned(25)), ("1864", .unsigned(100)),
    ("1903e8", .unsigned(1000)), ("1a000f4240", .unsigned(1_000_000)),
    ("1b000000e8d4a51000", .unsigned(1_000_000_000_000)),
    ("1bffffffffffffffff", .unsigned(.max)),
    ("c249010000000000000000", .tagged(2, .init(bytes: [1, 0, 0, 0, 0, 0, 0, 0, 0]))),
    ("3bffffffffffffffff", .negative(.max)),
    ("c349010000000000000000", .tagged(3, .init(bytes: [1, 0, 0, 0, 0, 0, 0, 0, 0]))),
    ("20", .negative(0)), ("29", .negative(9)), ("3863", .negative(99)), ("3903e7", .negative(999)),
    ("f90000", .float(0)), ("f93c00", .float(1)), ("fb3ff199999999999a", .float(1.1)),
    ("f93e00", .float(1.5)), ("f97bff", .float(65504)), ("fa47c35000", .float(100_000)),
    ("fa7f7fffff", .float(3.4028234663852886e+38)), ("fb7e37e43c8800759c", .float(1.0e+300)),
    ("f90001", .float(5.960464477539063e-8)), ("f90400", .float(0.00006103515625)),
    ("f9c400", .float(-4)), ("fbc010666666666666", .float(-4.1)), ("f97c00", .float(.infinity)),
    ("f9fc00", .float(-.infinity)), ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null),
    ("f7", .undefined),
    ("c074323031332d30332d32315432303a30343a30305a", .tagged(0, .text("2013-03-21T20:04:00Z"))),
    ("c11a514b67b0", .tagged(1, .unsigned(1_363_896_240))),
    ("c1fb41d452d9ec200000", .tagged(1, .float(1_363_896_240.5))),
    ("d74401020304", .tagged(23, .init(bytes: [1, 2, 3, 4]))),
    ("d818456449455446", .tagged(24, .init(bytes: bytes("6449455446")))),
    (
      "d82076687474703a2f2f7777772e6578616d706c652e636f6d",
      .tagged(32, .text("http://www.example.com"))
    ),
    ("40", .init(bytes: [])), ("4401020304", .init(bytes: [1, 2, 3, 4])), ("60", .text("")),
    ("6161", .text("a")), ("6449455446", .text("IETF")), ("62225c", .text("\"\\")),
    ("62c3bc", .text("ü")), ("63e6b0b4", .text("水")), ("64f0908591", .text("\u{10151}")),
    ("80", .array([])), ("83010203", array(1...3)),
    ("8301820203820405", .array([.unsigned(1), array(2...3), array(4...5)])),
    ("98190102030405060708090a0b0c0d0e0f101112131415161718181819", array(1...25)),
    ("a0", .map([])),
    (
      "a201020304",
      .map([.init(.unsigned(1), .unsigned(2)), .init(.unsigned(3), .unsigned(4))])
    ),
    (
      "a26161016162820203",
      .map([.init(.text("a"), .unsigned(1)), .init(.text("b"), array(2...3))])
    ),
    ("826161a161626163", .array([.text("a"), .map([.init(.text("b"), .text("c"))])])),
    (
      "a56161614161626142616361436164614461656145",
      .map(zip("abcde", "ABCDE").map { .init(.text(String($0)), .text(String($1))) })
    ),
  ]

  /// Well-formed, and another encoding of what the deterministic one gives.
  static let others: [(String, String)] = [
    ("fa7f800000", "f97c00"), ("fb7ff0000000000000", "f97c00"), ("faff800000", "f9fc00"),
    ("fbfff0000000000000", "f9fc00"), ("5f42010243030405ff", "450102030405"),
    ("7f657374726561646d696e67ff", "6973747265616d696e67"), ("9fff", "80"),
    ("9f018202039f0405ffff", "8301820203820405"), ("9f01820203820405ff", "8301820203820405"),
    ("83018202039f0405ff", "8301820203820405"), ("83019f0203ff820405", "8301820203820405"),
    (
      "9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff",
      "98190102030405060708090a0b0c0d0e0f101112131415161718181819"
    ),
    ("bf61610161629f0203ffff", "a26161016162820203"),
    ("826161bf61626163ff", "826161a161626163"),
    ("bf6346756ef563416d7421ff", "a263416d74216346756ef5"),
    // Longer heads than needed, and keys out of order.
    ("1800", "00"), ("1b0000000000000001", "01"), ("3900ff", "38ff"), ("5800", "40"),
    ("79000161", "6161"), ("9a0000000101", "8101"), ("b90001f4f5", "a1f4f5"),
    ("d90001f6", "c1f6"), ("a203040102", "a201020304"), ("fb3ff8000000000000", "f93e00"),
    ("5fff", "40"), ("7fff", "60"), ("bfff", "a0"),
  ]
}

struct CBORValueTests {
  /// libcbor 0.8 by itself refuses most of them.
  @Test func takesEveryTagOfOneByte() throws {
    for tag: UInt8 in 0...23 {
      #expect(try CBORValue(decoding: [0xC0 | tag, 0x01]) == .tagged(UInt64(tag), .unsigned(1)))
      #expect(CBORValue.tagged(UInt64(tag), .unsigned(1)).encoded == [0xC0 | tag, 0x01])
    }
  }

  @Test func readsAndWritesTheExamples() throws {
    for (hex, value) in Examples.deterministic {
      #expect(try CBORValue(decoding: bytes(hex)) == value, "\(hex)")
      #expect(value.encoded == bytes(hex), "\(hex)")
    }
  }

  @Test func readsOtherEncodings() throws {
    for (hex, deterministic) in Examples.others {
      #expect(try CBORValue(decoding: bytes(hex)).encoded == bytes(deterministic), "\(hex)")
    }
  }

  @Test(arguments: ["f97e00", "fa7fc00000", "fb7ff8000000000000"])
  func readsNotANumber(_ hex: String) throws {
    let value = try CBORValue(decoding: bytes(hex))
    guard case .float(let number) = value else {
      Issue.record("not a float: \(value)")
      return
    }
    #expect(number.isNaN)
    #expect(value.encoded == bytes("f97e00"))
  }

  @Test func writesEveryHalfFloatAsItWas() throws {
    for pattern in UInt16.min...UInt16.max {
      let input = [0xF9, UInt8(pattern >> 8), UInt8(pattern & 0xFF)]
      let value = try CBORValue(decoding: input)
      if case .float(let number) = value, number.isNaN { continue }
      #expect(value.encoded == input)
    }
  }

  @Test(arguments: [
    0x1p-25, 0x1.8p-24, 65505, 65536, 0x1.004p0, 0x1.002p-15, 0x1p-126, 0x1p-149, 0x1p-150, 1e39,
    .leastNonzeroMagnitude, -.pi,
  ])
  func keepsTheValueOfAFloat(_ number: Double) throws {
    #expect(try CBORValue(decoding: CBORValue.float(number).encoded) == .float(number))
  }

  @Test func sortsKeysByTheirEncoding() {
    let keys: [CBORValue] = [
      .bool(false), .array([.negative(0)]), .array([.unsigned(100)]), .text("aa"), .text("z"),
      .negative(0), .unsigned(100), .unsigned(10),
    ]
    let sorted = "a80af61864f620f6617af6626161f6811864f68120f6f4f6"
    #expect(CBORValue.map(keys.map { .init($0, .null) }).encoded == bytes(sorted))
  }

  @Test func endsAreNotMissed() {
    for hex in Examples.deterministic.map(\.0) + Examples.others.map(\.0) {
      let input = bytes(hex)
      for count in 0..<input.count {
        #expect(error(Array(input.prefix(count))) == .truncated, "\(count) of \(hex)")
      }
      #expect(error(input + [0]) == .trailingBytes(count: 1), "\(hex)")
    }
  }

  @Test(arguments: [
    "ff", "1c", "3d", "5e", "7f01ff", "5f6161ff", "5f5fffff", "7f4161ff", "81ff", "a1ff", "a101ff",
    "bf01ff", "c1ff", "9fc1ff", "f8", "f800", "f820", "f810", "e0", "fc", "fe", "df",
  ])
  func refusesWhatIsNotWellFormed(_ hex: String) {
    switch error(bytes(hex)) {
    case .malformed, .truncated: break
    case let other: Issue.record("\(hex): \(String(describing: other))")
    }
  }

  @Test(arguments: ["61ff", "62c328", "63eda080", "7f61c361a8ff", "7f61e162b0b4ff"])
  func refusesTextThatIsNotUTF8(_ hex: String) {
    guard case .invalidText = error(bytes(hex)) else {
      Issue.record("\(hex) was taken")
      return
    }
  }

  @Test(arguments: ["a201000100", "a20100180100", "bf616100616100ff", "a2f97e0000fa7fc0000000"])
  func refusesTheSameKeyTwice(_ hex: String) {
    #expect(error(bytes(hex)) == .duplicateKey)
  }

  @Test(arguments: [
    "5bffffffffffffffff", "7bffffffffffffffff", "9bffffffffffffffff", "bbffffffffffffffff",
    "bb7fffffffffffffff", "5b7fffffffffffffff00", "9bffffffffffffffff00", "bb800000000000000000",
    "5affffffff0000", "9affffffff00", "baffffffff0000",
  ])
  func doesNotBelieveLengths(_ hex: String) {
    #expect([.truncated, .tooManyItems].contains(error(bytes(hex))))
  }

  @Test func stopsAtTheDepth() throws {
    for opener: UInt8 in [0x81, 0x9F, 0xC1] {
      let input = [UInt8](repeating: opener, count: 1000)
      #expect(error(input) == .tooDeep)
    }
    let pairs = [[UInt8]](repeating: [0xA1, 0x00], count: 1000).flatMap { $0 }
    #expect(error(pairs) == .tooDeep)
    let nested = [UInt8](repeating: 0x81, count: 16) + [0x00]
    #expect(error(nested) == nil)
    #expect(error([0x81] + nested) == .tooDeep)
    #expect(error([UInt8](repeating: 0x81, count: 1000) + [0], CBORLimits(depth: 1000)) == nil)
  }

  @Test func stopsAtTheOtherLimits() {
    let limits = CBORLimits(bytes: 8, depth: 4, items: 4)
    #expect(error([0x83, 0, 0, 0], limits) == nil)
    #expect(error([0x84, 0, 0, 0, 0], limits) == .tooManyItems)
    #expect(error([0x47, 0, 0, 0, 0, 0, 0, 0], limits) == nil)
    #expect(error([0x48, 0, 0, 0, 0, 0, 0, 0, 0], limits) == .tooLong(count: 9))
  }

  @Test func takesAnyBytesWithoutHarm() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &generator)
      let input = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      guard let value = try? CBORValue(decoding: input) else { continue }
      let encoded = value.encoded
      #expect((try? CBORValue(decoding: encoded))?.encoded == encoded, "\(input)")
    }
  }
}
