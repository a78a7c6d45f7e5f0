import ProvisioningProtocol
import Testing

struct SessionMessageTests {
  private struct Content: Decodable {
    struct Abort: Decodable {
      var name: String
      var value: Hex
      var reason: String
      var guesses_left: UInt8?
      var seconds: UInt16?
    }
    struct Invalid: Decodable {
      var name: String
      var value: Hex
      var error: String
    }
    var aborts: [Abort]
    var invalid: [Invalid]
  }

  private func error(_ bytes: [UInt8]) -> SessionMessage.DecodingError? {
    do throws(SessionMessage.DecodingError) {
      _ = try SessionMessage(decoding: bytes)
      return nil
    } catch {
      return error
    }
  }

  private func reason(_ vector: Content.Abort) throws -> AbortReason {
    switch vector.reason {
    case "malformed": .malformed
    case "wrong-code": .wrongCode(guessesLeft: vector.guesses_left)
    case "locked-out": .lockedOut(seconds: try #require(vector.seconds))
    case "busy": .busy
    case "timed-out": .timedOut
    case "not-enabled": .notEnabled
    default: .other(try #require(UInt8(vector.reason.suffix(2), radix: 16)))
    }
  }

  @Test func vectors() throws {
    let vectors: Content = try Vectors.load("session-messages.json")
    for vector in vectors.aborts {
      let message = SessionMessage.abort(try reason(vector))
      #expect(try SessionMessage(decoding: vector.value.bytes) == message, "\(vector.name)")
      #expect(message.encoded == vector.value.bytes, "\(vector.name)")
      let longer = vector.value.bytes + [0, 0, 0]
      #expect(try SessionMessage(decoding: longer).kind == .abort, "\(vector.name)")
    }
    for vector in vectors.invalid {
      let word =
        switch error(vector.value.bytes) {
        case .empty: "empty"
        case .unknownKind: "unknown-kind"
        case .length: "length"
        case nil: "none"
        }
      #expect(word == vector.error, "\(vector.name)")
    }
  }

  @Test func haveTheirLengths() throws {
    let messages: [SessionMessage] = [
      .share([UInt8](repeating: 4, count: 65)),
      .shareAndProof(
        share: [UInt8](repeating: 4, count: 65), proof: [UInt8](repeating: 5, count: 32)),
      .proof([UInt8](repeating: 5, count: 32)),
    ]
    for message in messages {
      let bytes = message.encoded
      #expect(try SessionMessage(decoding: bytes) == message)
      for count in 1..<bytes.count {
        #expect(error(Array(bytes.prefix(count))) == .length(message.kind, count: count - 1))
      }
      #expect(error(bytes + [0]) == .length(message.kind, count: bytes.count))
    }
    #expect(try SessionMessage(decoding: [0x10] + [UInt8](repeating: 1, count: 17)).kind == .sealed)
  }
}
