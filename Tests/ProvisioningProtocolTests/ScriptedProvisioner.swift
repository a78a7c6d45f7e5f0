import Cryptography
import ProvisioningProtocol
import Secrets
import Testing

/// A device's session, and the provisioner that a table's words describe.
final class ScriptedProvisioner {
  private let a = CentralID(rawValue: "A")
  private let b = CentralID(rawValue: "B")
  private var session: DeviceSession
  private let prover: SPAKE2Plus.Prover
  private var answer: (share: [UInt8], proof: [UInt8])?
  private var records: SealedRecords?
  private var id: UInt32 = 0

  init() throws {
    session = try SecurePipe.device()
    prover = try SPAKE2Plus.Prover(
      credentials: SecurePipe.credentials(),
      context: SPAKE2Plus.Context(
        deviceID: SecurePipe.deviceID(), information: SecurePipe.information()))
  }

  /// Has an event happen, and says what the device does.
  func run(_ event: String) throws -> String {
    switch event {
    case "share": return try write(.share(prover.share))
    case "half a share":
      return try write(segments(.share(prover.share)).prefix(2))
    case "the other half": return try write(segments(.share(prover.share)).dropFirst(2))
    case "no point": return try write(.share([UInt8](repeating: 4, count: 65)))
    case "proof": return try write(.proof(try proof()))
    case "wrong proof": return try write(.proof([UInt8](repeating: 0, count: 32)))
    case "abort": return try write(.abort(.timedOut))
    case "abort: wrong code": return try write(.abort(.wrongCode(guessesLeft: nil)))
    case "unknown type": return try write([[0xC0, 1, 0, 0x77]])
    case "forged record": return try write(.sealed([UInt8](repeating: 0, count: 20)))
    case "request: status": return try write(try request(.status))
    case "request: scan": return try write(try request(.scan(from: 0)))
    case "request: provision":
      let network = NetworkDescription(ssid: try SSID(Array("Home".utf8)))
      return try write(try request(.provision(network)))
    case "request: cancel": return try write(try request(.cancel))
    case "B share": return try write(.share(prover.share), from: b)
    case "A plain SSID":
      return describe(session.write([1], to: .ssid, from: a, at: .zero))
    case "A leaves": return try describe(session.disconnected(a))
    case "B leaves": return try describe(session.disconnected(b))
    case "step": return try describe(session.attemptReached(.associating, of: 1))
    case "succeeds":
      return try describe(
        session.attemptEnded(.connected(WiFiLink(), saved: true), of: 1, at: .zero))
    case "scanned":
      return try describe(session.scanned(.success(VisibleNetworks()), errand: 1, at: .zero))
    default:
      let seconds = try #require(event.split(separator: " ").first.flatMap { Int($0) })
      return try describe(session.advance(to: .seconds(seconds)))
    }
  }

  private func segments(_ message: SessionMessage) throws -> [[UInt8]] {
    try SegmentWriter.segments(of: message.encoded)
  }

  private func proof() throws -> [UInt8] {
    guard let answer else { return [UInt8](repeating: 1, count: 32) }
    let (proof, key) = try prover.finish(
      verifierShare: answer.share, verifierConfirmation: answer.proof)
    if records == nil { records = try SealedRecords(sharedKey: key, side: .provisioner) }
    return proof
  }

  /// Seals a request; without a session, under some other key.
  private func request(_ method: RequestMethod) throws -> SessionMessage {
    id += 1
    let content = SealedRequest(id: id, method).encoded
    if let message = try records?.seal(content) { return message }
    var other = try SealedRecords(
      sharedKey: SecretBytes([UInt8](repeating: 1, count: 32)), side: .provisioner)
    return try other.seal(content)
  }

  private func write(_ message: SessionMessage, from central: CentralID? = nil) throws -> String {
    try write(segments(message)[...], from: central)
  }

  private func write(_ segments: [[UInt8]]) throws -> String { try write(segments[...]) }

  private func write(_ segments: ArraySlice<[UInt8]>, from central: CentralID? = nil) throws
    -> String
  {
    var words: [String] = []
    for segment in segments {
      let response = session.write(segment, to: .session, from: central ?? a, at: .zero)
      if let error = response.error {
        // Whose write is refused writes no more.
        return describe(WriteOutcome(error), words)
      }
      words += try perform(response.actions)
    }
    return describe(nil, words)
  }

  private struct WriteOutcome {
    let error: ApplicationError
    init(_ error: ApplicationError) { self.error = error }
  }

  private func describe(_ response: DeviceSession.WriteResponse) -> String {
    describe(response.error.map(WriteOutcome.init), [])
  }

  private func describe(_ actions: [DeviceSession.Action]) throws -> String {
    describe(nil, try perform(actions))
  }

  private func describe(_ outcome: WriteOutcome?, _ words: [String]) -> String {
    let error = outcome.map { [String($0.error.rawValue, radix: 16)] } ?? []
    return (error + words + [session.owner?.rawValue ?? "free"]).joined(separator: ", ")
  }

  /// Does what the device asks for, and says what concerns the secure profile.
  private func perform(_ actions: [DeviceSession.Action]) throws -> [String] {
    var words: [String] = []
    for action in actions {
      switch action {
      case .storeWrongGuesses(let count):
        words.append("store \(count)")
        words += try perform(session.wrongGuessesStored(true))
      case .send(let bytes): words.append(try describe(SessionMessage(decoding: bytes)))
      case .connect: words.append("join")
      case .stop: words.append("stop")
      case .scan: words.append("scan")
      case .sessionBegan, .sessionEnded, .sessionSecured, .notify, .advertise, .identify, .forget,
        .list, .forgetNetwork:
        break
      }
    }
    return words
  }

  private func describe(_ message: SessionMessage) throws -> String {
    switch message {
    case .shareAndProof(let share, let proof):
      answer = (share, proof)
      return "share and proof"
    case .abort(let reason): return "abort: \(reason.word)"
    case .sealed(let record):
      let content = try #require(try records?.open(record))
      switch try DeviceMessage(decoding: content) {
      case .response(_, .success): return "result"
      case .response(_, .failure(let failure)): return "failure: \(failure.reason.name)"
      case .status(let status): return "event: \(status.value.state.name)"
      case .otherEvent(let name): return "event: \(name)"
      }
    case .share, .proof: return "?"
    }
  }
}

extension AbortReason {
  /// What the tables call it.
  var word: String {
    switch self {
    case .malformed: "malformed"
    case .wrongCode(let left): left.map { "wrong code, \($0) left" } ?? "wrong code"
    case .lockedOut(let seconds): "locked, \(seconds) s"
    case .busy: "busy"
    case .timedOut: "timed out"
    case .notEnabled: "not enabled"
    case .other(let code): "\(code)"
    }
  }
}
