import ProvisioningProtocol
import Testing

struct SegmentTests {
  private struct Content: Decodable {
    struct Valid: Decodable {
      var name: String
      var segments: [Hex]
      var seconds: [Double]?
      var message: Hex
    }
    struct Invalid: Decodable {
      var name: String
      var segments: [Hex]
      var seconds: [Double]?
      var error: String
    }
    var valid: [Valid]
    var invalid: [Invalid]
  }

  private static let messages: [[UInt8]] = [
    1, 17, 18, 36, 37, 98, 509, 510, 511, 4095, 16_383, 16_384,
  ].map {
    count in (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  }

  private func word(_ error: SegmentReader.SegmentError) -> String {
    switch error {
    case .truncated: "truncated"
    case .notBegun: "not-begun"
    case .interrupted: "interrupted"
    case .gap: "gap"
    case .length: "length"
    case .overrun: "overrun"
    case .wrongEnd: "wrong-end"
    case .silence: "silence"
    }
  }

  private func times(_ seconds: [Double]?, _ count: Int) -> [Duration] {
    seconds.map { $0.map { .seconds($0) } } ?? [Duration](repeating: .zero, count: count)
  }

  @Test func vectors() throws {
    let vectors: Content = try Vectors.load("segments.json")
    for vector in vectors.valid {
      var reader = SegmentReader()
      var message: [UInt8]?
      for (segment, time) in zip(vector.segments, times(vector.seconds, vector.segments.count)) {
        #expect(message == nil, "\(vector.name)")
        message = try reader.receive(segment.bytes, at: time)
      }
      #expect(message == vector.message.bytes, "\(vector.name)")
      #expect(reader.deadline == nil, "\(vector.name)")
    }
    for vector in vectors.invalid {
      var reader = SegmentReader()
      var errors: [String] = []
      for (segment, time) in zip(vector.segments, times(vector.seconds, vector.segments.count)) {
        do throws(SegmentReader.SegmentError) {
          let message = try reader.receive(segment.bytes, at: time)
          #expect(message == nil, "\(vector.name)")
        } catch {
          errors.append(word(error))
        }
      }
      #expect(errors == [vector.error], "\(vector.name)")
      #expect(try reader.receive([0xC0, 1, 0, 9], at: .seconds(20)) == [9], "\(vector.name)")
    }
  }

  @Test(arguments: [0, 23, 24, 64, 185, 247, 512, 515, 517, Int.max])
  func messagesSurviveEveryMTU(_ mtu: Int) throws {
    for message in Self.messages {
      let segments = try SegmentWriter.segments(of: message, mtu: mtu)
      #expect(segments.allSatisfy { $0.count <= min(max(mtu, 23) - 3, 510) })
      var reader = SegmentReader()
      for segment in segments.dropLast() {
        #expect(try reader.receive(segment, at: .zero) == nil)
      }
      #expect(try reader.receive(try #require(segments.last), at: .zero) == message)
    }
  }

  @Test func refusesMessagesThatDoNotFit() {
    #expect(throws: SegmentWriter.LengthError.empty) { try SegmentWriter.segments(of: []) }
    #expect(throws: SegmentWriter.LengthError.tooLong(count: 16_385)) {
      try SegmentWriter.segments(of: [UInt8](repeating: 0, count: 16_385))
    }
  }

  @Test func numbersGoRound() throws {
    let message = [UInt8](repeating: 5, count: 16_384)
    let segments = try SegmentWriter.segments(of: message)
    #expect(segments.count == 863)
    #expect(segments[63][0] == 63 && segments[64][0] == 0 && segments[862][0] == 0x40 | 30)
    // One that is 64 ahead looks like the next, and then the end does not fit.
    var reader = SegmentReader()
    for segment in segments[..<10] { _ = try reader.receive(segment, at: .zero) }
    for segment in segments[74..<862] { _ = try reader.receive(segment, at: .zero) }
    #expect(throws: SegmentReader.SegmentError.wrongEnd) {
      try reader.receive(segments[862], at: .zero)
    }
  }

  @Test func losingAnySegmentIsNoticed() throws {
    let segments = try SegmentWriter.segments(of: Self.messages[5])
    for missing in segments.indices.dropLast() {
      var reader = SegmentReader()
      #expect(throws: SegmentReader.SegmentError.self) {
        for segment in segments[..<missing] + segments[(missing + 1)...] {
          _ = try reader.receive(segment, at: .zero)
        }
      }
    }
  }

  @Test func silenceIsOnlyInsideAMessage() throws {
    var reader = SegmentReader()
    #expect(reader.deadline == nil)
    try reader.advance(to: .seconds(100))
    #expect(try reader.receive([0x80, 3, 0, 1], at: .seconds(100)) == nil)
    #expect(reader.deadline == .seconds(110))
    #expect(try reader.receive([0x01, 2], at: .seconds(105)) == nil)
    #expect(reader.deadline == .seconds(115))
    try reader.advance(to: .milliseconds(114_999))
    #expect(throws: SegmentReader.SegmentError.silence) { try reader.advance(to: .seconds(115)) }
    #expect(reader.deadline == nil)
    #expect(throws: SegmentReader.SegmentError.notBegun) {
      try reader.receive([0x42, 3], at: .seconds(115))
    }
  }
}

/// The device's segments, which arrive in any order.
struct SegmentSorterTests {
  private func cut(_ lengths: [Int]) throws -> [[UInt8]] {
    var segments: [[UInt8]] = []
    for length in lengths {
      segments += try SegmentWriter.segments(
        of: [UInt8](repeating: UInt8(length & 0xFF), count: length), from: segments.count)
    }
    return segments
  }

  @Test func anyOrderWithinTheWindowIsPutRight() throws {
    var generator = SystemRandomNumberGenerator()
    let lengths = [98, 1, 40, 17, 18, 700, 3, 3, 3]
    let segments = try cut(lengths)
    for _ in 0..<200 {
      // Each comes at most 31 places before or behind its own.
      let order = segments.indices.map { ($0 + Int.random(in: 0..<16, using: &generator), $0) }
        .sorted { $0 < $1 }.map(\.1)
      var sorter = SegmentSorter()
      var reader = SegmentReader(counting: .session)
      var messages: [[UInt8]] = []
      for index in order {
        for segment in try sorter.receive(segments[index], at: .zero) {
          if let message = try reader.receive(segment, at: .zero) { messages.append(message) }
        }
      }
      #expect(messages.map(\.count) == lengths)
      #expect(sorter.deadline == nil)
    }
  }

  @Test func whatCannotBePutRightIsAGap() throws {
    let segments = try cut([700])
    var sorter = SegmentSorter()
    #expect(throws: SegmentReader.SegmentError.gap(expected: 0, got: 32)) {
      try sorter.receive(segments[32], at: .zero)
    }
    #expect(try sorter.receive(segments[31], at: .zero) == [])
    #expect(throws: SegmentReader.SegmentError.gap(expected: 0, got: 31)) {
      try sorter.receive(segments[31], at: .zero)
    }
    var other = SegmentSorter()
    #expect(try other.receive(segments[0], at: .zero) == [segments[0]])
    #expect(throws: SegmentReader.SegmentError.gap(expected: 1, got: 0)) {
      try other.receive(segments[0], at: .zero)
    }
    #expect(throws: SegmentReader.SegmentError.truncated(count: 0)) {
      try other.receive([], at: .zero)
    }
  }

  @Test func whoseTurnDoesNotComeIsNotWaitedForForEver() throws {
    let segments = try cut([40])
    var sorter = SegmentSorter()
    _ = try sorter.receive(segments[1], at: .seconds(5))
    #expect(sorter.deadline == .seconds(15))
    #expect(throws: SegmentReader.SegmentError.silence) {
      try sorter.receive(segments[0], at: .seconds(15))
    }
  }
}
