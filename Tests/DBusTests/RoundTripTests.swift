import DBus
import Glibc
import RadioSimulator
import TestSupport
import Testing

/// Makes values of random signatures within the specification's limits.
private struct ValueGenerator {
  var random: SeededGenerator

  mutating func type(depth: Int) -> SingleType {
    let basic: [SingleType] = [
      .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string,
      .objectPath, .signature,
    ]
    guard depth > 0 else { return basic.randomElement(using: &random) ?? .byte }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .array(type(depth: depth - 1))
    case 1:
      let key = basic.randomElement(using: &random) ?? .string
      return .dictionary(key: key, value: type(depth: depth - 1))
    case 2:
      let count = Int.random(in: 1...4, using: &random)
      return .structure((0..<count).map { _ in type(depth: depth - 1) })
    case 3: return .variant
    default: return type(depth: 0)
    }
  }

  mutating func value(of type: SingleType, depth: Int) -> Value {
    switch type {
    case .byte: return .byte(.random(in: .min ... .max, using: &random))
    case .boolean: return .boolean(.random(using: &random))
    case .int16: return .int16(.random(in: .min ... .max, using: &random))
    case .uint16: return .uint16(.random(in: .min ... .max, using: &random))
    case .int32: return .int32(.random(in: .min ... .max, using: &random))
    case .uint32: return .uint32(.random(in: .min ... .max, using: &random))
    case .int64: return .int64(.random(in: .min ... .max, using: &random))
    case .uint64: return .uint64(.random(in: .min ... .max, using: &random))
    case .double:
      let special = [
        0, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      ]
      return .double(special.randomElement(using: &random) ?? 1.5)
    case .string:
      let texts = ["", "x", "Küche ☕️", "日本語", "\u{1}\u{7f}", "'\"\\"]
      return .string(texts.randomElement(using: &random) ?? "")
    case .objectPath:
      let paths: [ObjectPath] = [.root, ObjectPath(literal: "/a"), ObjectPath(literal: "/a/B_9")]
      return .objectPath(paths.randomElement(using: &random) ?? .root)
    case .signature: return .signature(Signature([self.type(depth: 2)]) ?? .empty)
    case .unixFD: return .unixFD(FileDescriptor(owning: dup(0)))
    case .variant:
      let inner = self.type(depth: max(0, depth - 1))
      return .variant(value(of: inner, depth: depth - 1))
    case .array(.byte):
      let count = Int.random(in: 0...600, using: &random)
      return .bytes((0..<count).map { _ in .random(in: .min ... .max, using: &random) })
    case .array(let element):
      let count = Int.random(in: 0...3, using: &random)
      return .array(element: element, (0..<count).map { _ in value(of: element, depth: depth - 1) })
    case .dictionary(let key, let valueType):
      let count = Int.random(in: 0...3, using: &random)
      return .dictionary(
        key: key, value: valueType,
        (0..<count).map { _ in
          .init(value(of: key, depth: 0), value(of: valueType, depth: depth - 1))
        })
    case .structure(let fields):
      return .structure(fields.map { value(of: $0, depth: depth - 1) })
    }
  }
}

/// A generator that repeats: a failure names its seed.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

@Suite(.timeLimit(.minutes(1))) struct RoundTripTests {
  @Test func anyValueOfAnySignatureSurvivesTheBus() async throws {
    try await onPrivateBus { loop, bus in
      let server = try await Connection.open(.address(bus.address), loop: loop)
      let client = try await Connection.open(.address(bus.address), loop: loop)
      let path = ObjectPath(literal: "/echo")
      await server.export(
        path,
        [
          Interface(
            "test.Echo", methods: [Method("Echo", in: "v", out: "v") { .reply($0.arguments) }])
        ])
      let name = await server.uniqueName
      for seed in UInt64(0)..<400 {
        var generator = ValueGenerator(random: SeededGenerator(state: seed))
        let type = generator.type(depth: 5)
        guard Signature([type]) != nil else { continue }
        let value = generator.value(of: type, depth: 5)
        let reply = try await client.call(name, path, "test.Echo", "Echo", [.variant(value)])
        #expect(reply == [.variant(value)], "seed \(seed), signature \(type.code)")
      }
    }
  }

  @Test func fileDescriptorsArriveAsDuplicatesOfTheSameFile() async throws {
    try await onPrivateBus { loop, bus in
      let server = try await Connection.open(.address(bus.address), loop: loop)
      let client = try await Connection.open(.address(bus.address), loop: loop)
      let path = ObjectPath(literal: "/echo")
      await server.export(
        path,
        [
          Interface(
            "test.Echo", methods: [Method("Echo", in: "h", out: "h") { .reply($0.arguments) }])
        ])
      let name = await server.uniqueName
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      let writing = FileDescriptor(owning: ends[1])
      let reading = FileDescriptor(owning: ends[0])
      let reply = try await client.call(name, path, "test.Echo", "Echo", [.unixFD(writing)])
      let returned = try #require(reply.first?.asUnixFD)
      #expect(returned.number != writing.number)
      var byte: UInt8 = 42
      #expect(write(returned.number, &byte, 1) == 1)
      byte = 0
      #expect(read(reading.number, &byte, 1) == 1)
      #expect(byte == 42)
    }
  }

  @Test(arguments: [
    "", "y", "a{sv}", "a{oa{sa{sv}}}", "(ii)", "aai", "a(y(sd))", "v",
    String(repeating: "a", count: 32) + "y", String(repeating: "y", count: 255),
  ])
  func signaturesParseAndPrintTheSame(text: String) {
    #expect(Signature(text)?.description == text)
  }

  @Test(arguments: [
    "a", "(", ")", "()", "a{s}", "a{vs}", "{sv}", "a{sss}", "z", "(i", "a{sv",
    String(repeating: "a", count: 33) + "y", String(repeating: "(", count: 33),
    String(repeating: "y", count: 256),
  ])
  func invalidSignaturesAreRefused(text: String) { #expect(Signature(text) == nil) }

  @Test(arguments: [
    ("/", true), ("/a", true), ("/a/b_C9", true), ("", false), ("a", false), ("/a/", false),
    ("//", false), ("/a//b", false), ("/a-b", false), ("/ü", false),
  ])
  func objectPathsAreValidByConstruction(text: String, isValid: Bool) {
    #expect((ObjectPath(text) != nil) == isValid)
  }
}
