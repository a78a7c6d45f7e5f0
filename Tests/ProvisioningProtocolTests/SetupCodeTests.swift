import Foundation
import ProvisioningProtocol
import Secrets
import Testing

/// Setup codes and labels, by the specification's file.
struct SetupCodeTests {
  private struct Content: Decodable {
    struct Code: Decodable {
      var name: String
      var text: String
      var digits: String
    }
    struct Invalid: Decodable {
      var name: String
      var text: String
      var error: String
    }
    struct URI: Decodable {
      var name: String
      var uri: String
      var id: String
      var code: String
      var device_name: String?
      var written: Bool
    }
    struct InvalidURI: Decodable {
      var name: String
      var uri: String
      var error: String
    }
    var valid: [Code]
    var invalid: [Invalid]
    var uris: [URI]
    var invalid_uris: [InvalidURI]
    var lock_seconds: [String: Int]
  }

  private let vectors: Content

  init() throws { vectors = try Vectors.load("setup-code.json") }

  private func word(_ error: SetupCode.FormatError) -> String {
    switch error {
    case .notNineDigits: "not-nine-digits"
    case .checkDigit: "check-digit"
    case .trivial: "trivial"
    }
  }

  @Test func codes() throws {
    for vector in vectors.valid {
      let code = try SetupCode(vector.text.utf8)
      #expect(code.digits.elementsEqual(vector.digits.utf8), "\(vector.name)")
      #expect(try SetupCode(code.label.utf8) == code, "\(vector.name)")
      #expect(code.label.count == 11 && code.label.filter { $0 == "-" }.count == 2)
    }
    for vector in vectors.invalid {
      do throws(SetupCode.FormatError) {
        _ = try SetupCode(vector.text.utf8)
        Issue.record("\(vector.name) was taken")
      } catch {
        #expect(word(error) == vector.error, "\(vector.name)")
      }
    }
  }

  @Test func noticesEverySlip() throws {
    for _ in 0..<20 {
      let digits = Array(SetupCode.random().digits)
      for index in digits.indices {
        for digit in UInt8(ascii: "0")...UInt8(ascii: "9") where digit != digits[index] {
          var changed = digits
          changed[index] = digit
          #expect(throws: SetupCode.FormatError.checkDigit) { try SetupCode(changed) }
        }
      }
      for index in digits.indices.dropLast() where digits[index] != digits[index + 1] {
        var changed = digits
        changed.swapAt(index, index + 1)
        #expect(throws: SetupCode.FormatError.checkDigit) { try SetupCode(changed) }
      }
    }
  }

  /// Gives the numbers that it was made with, and then counts up.
  private struct Sequence: RandomNumberGenerator {
    var values: [UInt64]
    mutating func next() -> UInt64 {
      values.isEmpty ? UInt64.random(in: 0 ... .max) : values.removeFirst()
    }
  }

  @Test func drawsUntilTheCodeIsNotTrivial() throws {
    // Eight equal numbers give eight equal digits.
    var generator = Sequence(values: [UInt64](repeating: 7 << 60, count: 8))
    let code = SetupCode(using: &generator)
    #expect(generator.values.isEmpty)
    #expect(try SetupCode(code.label.utf8) == code)
  }

  @Test func differsEachTime() throws {
    let codes = (0..<8).map { _ in SetupCode.random() }
    for (index, code) in codes.enumerated() {
      #expect(!codes.dropFirst(index + 1).contains(code))
    }
  }

  @Test func doesNotShowInText() throws {
    let code = try SetupCode("271828189".utf8)
    let id = try #require(DeviceID("0123456789ab"))
    let uri = SetupURI(deviceID: id, code: code)
    var dumped = ""
    dump(uri, to: &dumped)
    for text in ["\(code)", "\(uri)", String(reflecting: uri), dumped] {
      #expect(!text.contains("271") && !text.contains("50"), "\(text)")
    }
  }

  // MARK: Labels

  @Test func uris() throws {
    for vector in vectors.uris {
      let uri = try SetupURI(vector.uri.utf8)
      #expect(uri.deviceID.description == vector.id, "\(vector.name)")
      #expect(uri.code.digits.elementsEqual(vector.code.utf8), "\(vector.name)")
      #expect(uri.name == vector.device_name, "\(vector.name)")
      if vector.written { #expect(uri.text == vector.uri, "\(vector.name)") }
      #expect(try SetupURI(uri.text.utf8) == uri, "\(vector.name)")
    }
    for vector in vectors.invalid_uris {
      do throws(SetupURI.FormatError) {
        _ = try SetupURI(vector.uri.utf8)
        Issue.record("\(vector.name) was taken")
      } catch {
        let word =
          switch error {
          case .tooLong: "too-long"
          case .foreign: "foreign"
          case .unsupportedVersion: "unsupported-version"
          case .malformed: "malformed"
          case .missing: "missing"
          case .duplicate: "duplicate"
          case .deviceID: "device-id"
          case .code: "code"
          case .name: "name"
          }
        #expect(word == vector.error, "\(vector.name)")
      }
    }
  }

  @Test func readsEveryTruncatedURIWithoutTrapping() throws {
    let uri = Array(vectors.uris[0].uri.utf8)
    let name = try #require(vectors.uris[0].uri.range(of: "&name="))
    let complete = vectors.uris[0].uri[..<name.lowerBound].utf8.count
    for count in 0..<complete {
      #expect(throws: SetupURI.FormatError.self) { try SetupURI(uri.prefix(count)) }
    }
  }

  @Test func takesAtMost4096Bytes() throws {
    let start = "wifiprov:1?id=0123456789ab&code=271828189&name="
    let longest = start + String(repeating: "n", count: 4096 - start.utf8.count)
    #expect(try SetupURI(longest.utf8).name?.utf8.count == 4096 - start.utf8.count)
    #expect(throws: SetupURI.FormatError.tooLong(count: 4097)) {
      try SetupURI((longest + "n").utf8)
    }
  }

  @Test func saysWhereAURIIsWrong() {
    #expect(throws: SetupURI.FormatError.malformed(offset: 16)) {
      try SetupURI("wifiprov:1?id=0%g".utf8)
    }
    #expect(throws: SetupURI.FormatError.malformed(offset: 15)) {
      try SetupURI("wifiprov:1?id=0 1".utf8)
    }
    #expect(throws: SetupURI.FormatError.malformed(offset: 13)) {
      try SetupURI("wifiprov:1?id".utf8)
    }
  }

  // MARK: Guesses

  @Test func lockGrowsWithWrongGuesses() throws {
    for (wrong, seconds) in vectors.lock_seconds {
      let guesses = GuessCounter(wrongGuesses: try #require(UInt32(wrong)), at: .seconds(7))
      #expect(lock(guesses, at: .seconds(7)) == (seconds == 0 ? nil : UInt16(seconds)), "\(wrong)")
    }
  }

  private func lock(_ guesses: GuessCounter, at now: Duration) -> UInt16? {
    do throws(GuessCounter.LockedOut) {
      try guesses.check(at: now)
      return nil
    } catch {
      return error.seconds
    }
  }

  @Test func fiveGuessesAreFree() throws {
    var guesses = GuessCounter(at: .zero)
    for left: UInt8 in [5, 4, 3, 2, 1] {
      #expect(guesses.guessesLeft == left)
      try guesses.count(at: .zero)
    }
    #expect(guesses.guessesLeft == 0 && guesses.wrongGuesses == 5)
    #expect(throws: GuessCounter.LockedOut(seconds: 30)) { try guesses.count(at: .zero) }
    #expect(lock(guesses, at: .milliseconds(1)) == 30, "seconds are rounded up")
    #expect(lock(guesses, at: .seconds(29)) == 1)
    #expect(lock(guesses, at: .milliseconds(29_999)) == 1)
    #expect(lock(guesses, at: .seconds(30)) == nil)
    #expect(guesses.wrongGuesses == 5, "what is refused does not count")
    try guesses.count(at: .seconds(30))
    #expect(lock(guesses, at: .seconds(30)) == 60, "then each one locks, for twice as long")
  }

  @Test func aRightGuessForgetsTheWrongOnes() throws {
    var guesses = GuessCounter(at: .zero)
    for _ in 0..<5 { try guesses.count(at: .zero) }
    // The proof of the fifth arrives while the device is already locked for others.
    guesses.reset()
    #expect(guesses == GuessCounter(at: .zero))
    #expect(lock(guesses, at: .zero) == nil)
  }

  @Test func aRestartDoesNotShortenTheLock() throws {
    var guesses = GuessCounter(at: .seconds(1000))
    for _ in 0..<5 { try guesses.count(at: .seconds(1000)) }
    let restarted = GuessCounter(wrongGuesses: guesses.wrongGuesses, at: .seconds(3))
    #expect(lock(restarted, at: .seconds(3)) == 30)
    #expect(lock(restarted, at: .seconds(33)) == nil)
  }

  @Test func doesNotOverflow() throws {
    var guesses = GuessCounter(wrongGuesses: .max, at: .zero)
    try guesses.count(at: .seconds(3600))
    #expect(guesses.wrongGuesses == .max)
    #expect(lock(guesses, at: .seconds(3600)) == 3600)
  }
}
