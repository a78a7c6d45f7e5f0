import CBOR
import Cryptography
import ProvisioningProtocol
import Secrets
import Testing

/// Whole handshakes, by the specification's file.
struct HandshakeTests {
  private struct Content: Decodable { var handshakes: [Vector] }

  struct Vector: Decodable, CustomTestStringConvertible {
    struct Segmented: Decodable {
      var mtu: Int
      var message: Int
      var segments: [Hex]
    }
    struct Record: Decodable {
      var from: String
      var content: Hex
      var message: Hex
    }
    var name: String
    var code: String
    var id: String
    var salt: Hex
    var n: UInt64
    var information: Hex
    var x: Hex
    var y: Hex
    var w0: Hex
    var w1: Hex
    var L: Hex
    var context: Hex
    var K_shared: Hex
    var messages: [Hex]
    var segments: [Segmented]
    var records: [Record]

    var testDescription: String { name }
  }

  static let vectors: [Vector] = {
    do {
      let content: Content = try Vectors.load("handshake.json")
      return content.handshakes
    } catch {
      Issue.record("handshake.json: \(error)")
      return []
    }
  }()

  @Test func hasVectors() { #expect(Self.vectors.count == 2) }

  /// Both sides of a vector's handshake.
  private struct Sides {
    let vector: Vector
    let code: SetupCode
    let deviceID: DeviceID
    let stretching: CodeStretching
    let context: SPAKE2Plus.Context
    let credentials: SPAKE2Plus.Credentials

    init(_ vector: Vector) throws {
      self.vector = vector
      code = try SetupCode(vector.code.utf8)
      deviceID = try #require(DeviceID(vector.id))
      stretching = try CodeStretching(salt: vector.salt.bytes, cost: vector.n)
      context = try SPAKE2Plus.Context(deviceID: deviceID, information: vector.information.bytes)
      credentials = try code.credentials(for: deviceID, stretching: stretching)
    }

    func prover() throws -> SPAKE2Plus.Prover {
      try SPAKE2Plus.Prover(
        credentials: credentials, context: context,
        scalar: P256Scalar(SecretBytes(vector.x.bytes)))
    }

    /// The device's side, with the vector's scalar.
    func verifier(_ share: [UInt8]) throws -> SPAKE2Plus.Verifier {
      try SPAKE2Plus.Verifier(
        record: .init(credentials.record()), context: context, proverShare: share,
        scalar: P256Scalar(SecretBytes(vector.y.bytes)))
    }
  }

  @Test(arguments: vectors) func derivesWhatTheDeviceKeeps(_ vector: Vector) throws {
    let sides = try Sides(vector)
    #expect(sides.code.label == vector.code)
    #expect(
      Array(try sides.credentials.record().encoded) == vector.w0.bytes + vector.L.bytes)
    #expect(
      try sides.credentials
        == SPAKE2Plus.Credentials(
          w0: P256Scalar(SecretBytes(vector.w0.bytes)),
          w1: P256Scalar(SecretBytes(vector.w1.bytes))))
    #expect(sides.context.label == vector.context.bytes)
  }

  @Test(arguments: vectors) func readsTheStretchingInTheInformation(_ vector: Vector) throws {
    let stretching = try Sides(vector).stretching
    let value = try CBORValue(decoding: vector.information.bytes)
    guard case .map(let entries) = value else { return #expect(Bool(false), "no map") }
    let parameters = try #require(entries.first { $0.key == .unsigned(8) }?.value)
    #expect(try CodeStretching(parameters) == stretching)
    #expect(stretching.value == parameters)
    #expect(
      try DeviceInformation(decoding: vector.information.bytes).deviceID.description == vector.id)
  }

  @Test(arguments: vectors) func exchangesTheMessages(_ vector: Vector) throws {
    let sides = try Sides(vector)
    let prover = try sides.prover()
    let first = SessionMessage.share(prover.share)
    #expect(first.encoded == vector.messages[0].bytes)

    let verifier = try sides.verifier(prover.share)
    let second = SessionMessage.shareAndProof(
      share: verifier.share, proof: verifier.confirmation)
    #expect(second.encoded == vector.messages[1].bytes)

    let (proof, key) = try prover.finish(
      verifierShare: verifier.share, verifierConfirmation: verifier.confirmation)
    #expect(SessionMessage.proof(proof).encoded == vector.messages[2].bytes)
    #expect(Array(key) == vector.K_shared.bytes)
    #expect(try verifier.finish(proverConfirmation: proof) == key)

    for message in [first, second, .proof(proof)] {
      #expect(try SessionMessage(decoding: message.encoded) == message)
    }
    for vector in vector.segments {
      let segments = try SegmentWriter.segments(
        of: [first, second, .proof(proof)][vector.message].encoded, mtu: vector.mtu)
      #expect(segments == vector.segments.map(\.bytes))
    }
  }

  // MARK: Tampering

  /// Plays a handshake in which somebody changes message 02, and tells whether it comes to a key.
  private func provisionerAccepts(_ message: [UInt8], _ sides: Sides) throws -> Bool {
    guard case .shareAndProof(let share, let proof) = try? SessionMessage(decoding: message) else {
      return false
    }
    let prover = try sides.prover()
    return (try? prover.finish(verifierShare: share, verifierConfirmation: proof)) != nil
  }

  /// Plays one in which somebody changes message 01 or 03.
  private func deviceAccepts(
    _ first: [UInt8], _ third: [UInt8], _ sides: Sides
  ) throws -> Bool {
    guard case .share(let share) = try? SessionMessage(decoding: first),
      case .proof(let proof) = try? SessionMessage(decoding: third),
      let verifier = try? sides.verifier(share)
    else { return false }
    return (try? verifier.finish(proverConfirmation: proof)) != nil
  }

  @Test func noticesEachChangedByte() throws {
    let vector = try #require(Self.vectors.first)
    let sides = try Sides(vector)
    let messages = vector.messages.map(\.bytes)
    #expect(try provisionerAccepts(messages[1], sides))
    #expect(try deviceAccepts(messages[0], messages[2], sides))
    for index in messages[0].indices {
      var changed = messages[0]
      changed[index] ^= 0x01
      #expect(try !deviceAccepts(changed, messages[2], sides), "byte \(index) of message 01")
    }
    for index in messages[1].indices {
      var changed = messages[1]
      changed[index] ^= 0x01
      #expect(try !provisionerAccepts(changed, sides), "byte \(index) of message 02")
    }
    for index in messages[2].indices {
      var changed = messages[2]
      changed[index] ^= 0x01
      #expect(try !deviceAccepts(messages[0], changed, sides), "byte \(index) of message 03")
    }
  }

  /// Whoever sits between the two and changes what the device says of itself is found out.
  @Test func noticesEachChangedByteOfTheInformation() throws {
    let vector = try #require(Self.vectors.first)
    let sides = try Sides(vector)
    let verifier = try sides.verifier(sides.prover().share)
    for index in vector.information.bytes.indices {
      var changed = vector.information.bytes
      changed[index] ^= 0x01
      let prover = try SPAKE2Plus.Prover(
        credentials: sides.credentials,
        context: SPAKE2Plus.Context(deviceID: sides.deviceID, information: changed),
        scalar: P256Scalar(SecretBytes(vector.x.bytes)))
      #expect(throws: CryptographyError.notAuthentic, "byte \(index)") {
        try prover.finish(
          verifierShare: verifier.share, verifierConfirmation: verifier.confirmation)
      }
    }
  }

  @Test func failsWithAnotherCodeOrDevice() throws {
    let vector = try #require(Self.vectors.first)
    let sides = try Sides(vector)
    let otherCode = try SetupCode("003-141-591".utf8)
    let otherDevice = try #require(DeviceID("0123456789ac"))
    let others = [
      try otherCode.credentials(for: sides.deviceID, stretching: sides.stretching),
      try sides.code.credentials(for: otherDevice, stretching: sides.stretching),
      try sides.code.credentials(
        for: sides.deviceID, stretching: CodeStretching(salt: [UInt8](repeating: 9, count: 16))),
    ]
    for credentials in others {
      let prover = try SPAKE2Plus.Prover(credentials: credentials, context: sides.context)
      let verifier = try sides.verifier(prover.share)
      #expect(throws: CryptographyError.notAuthentic) {
        try prover.finish(
          verifierShare: verifier.share, verifierConfirmation: verifier.confirmation)
      }
    }
  }

  @Test func refusesARecordedProvisioner() throws {
    let vector = try #require(Self.vectors.first)
    let sides = try Sides(vector)
    guard case .share(let share) = try SessionMessage(decoding: vector.messages[0].bytes),
      case .proof(let proof) = try SessionMessage(decoding: vector.messages[2].bytes)
    else { return #expect(Bool(false), "the vector has other messages") }
    let verifier = try SPAKE2Plus.Verifier(
      record: .init(sides.credentials.record()), context: sides.context, proverShare: share)
    #expect(throws: CryptographyError.notAuthentic) {
      try verifier.finish(proverConfirmation: proof)
    }
  }

  @Test func limitsWhatADeviceMayAskFor() throws {
    #expect(throws: CodeStretching.LimitError.saltLength(15)) {
      try CodeStretching(salt: [UInt8](repeating: 1, count: 15))
    }
    #expect(throws: CodeStretching.LimitError.saltLength(33)) {
      try CodeStretching(salt: [UInt8](repeating: 1, count: 33))
    }
    let salt = [UInt8](repeating: 1, count: 16)
    for cost: UInt64 in [0, 1, 8192, 16_383, 16_385, 49_152, 131_072, .max] {
      #expect(throws: CodeStretching.LimitError.cost(cost)) {
        try CodeStretching(salt: salt, cost: cost)
      }
    }
    let good = try CodeStretching(salt: salt, cost: 65_536)
    guard case .map(let entries) = good.value else { return #expect(Bool(false), "no map") }
    for index in entries.indices {
      var changed = entries
      changed.remove(at: index)
      #expect(throws: CodeStretching.LimitError.parameters) { try CodeStretching(.map(changed)) }
      changed.insert(CBORValue.Entry(entries[index].key, .null), at: index)
      #expect(throws: CodeStretching.LimitError.parameters) { try CodeStretching(.map(changed)) }
    }
    #expect(throws: CodeStretching.LimitError.parameters) { try CodeStretching(.null) }
    #expect(
      try CodeStretching(.map(entries + [CBORValue.Entry(.unsigned(9), .null)])) == good)
  }

  @Test func theUsualSaltIsTheDevices() throws {
    let device = try #require(DeviceID("0123456789ab"))
    let stretching = try CodeStretching(usualFor: device)
    let salt: [UInt8] = [
      0xe2, 0x9e, 0x27, 0xd7, 0x74, 0x95, 0x64, 0x21,
      0x56, 0x31, 0x20, 0x8d, 0xa8, 0xf8, 0xe0, 0xbf,
    ]
    #expect(stretching.salt == salt)
    #expect(stretching.cost == 16_384)
  }

  // MARK: Records

  @Test(arguments: vectors) func sealsTheRecords(_ vector: Vector) throws {
    let key = SecretBytes(vector.K_shared.bytes)
    var provisioner = try SealedRecords(sharedKey: key, side: .provisioner)
    var device = try SealedRecords(sharedKey: key, side: .device)
    for record in vector.records {
      let content = SecretBytes(record.content.bytes)
      let expected = try SessionMessage(decoding: record.message.bytes)
      guard case .sealed(let body) = expected else {
        Issue.record("the vector has another message")
        continue
      }
      if record.from == "provisioner" {
        let sealed = try provisioner.seal(content)
        #expect(sealed == expected)
        let opened = try device.open(body)
        #expect(opened == content)
      } else {
        let sealed = try device.seal(content)
        #expect(sealed == expected)
        let opened = try provisioner.open(body)
        #expect(opened == content)
      }
    }
  }
}
