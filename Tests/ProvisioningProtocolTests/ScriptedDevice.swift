import CBOR
import Cryptography
import ProvisioningProtocol
import Secrets
import Testing

/// A provisioner's session that joins a network, and the device that a table's words describe.
final class ScriptedDevice {
  private var session: SecureSession
  private var now = Duration.zero
  private var written = SegmentReader()
  /// How many segments were notified.
  private var notified = 0
  private var share: [UInt8]?
  private var verifier: SPAKE2Plus.Verifier?
  private var records: SealedRecords?
  private var lastRequest: UInt32 = 0

  init() throws {
    let ssid = try SSID(Array("Home".utf8))
    // One segment a message, for the table's sake.
    session = try SecureSession(
      .provision(NetworkDescription(ssid: ssid)), deviceID: SecurePipe.deviceID(),
      information: SecurePipe.information(), credentials: SecurePipe.credentials(), mtu: 517)
  }

  /// Has an event happen, and says what the provisioner does.
  func run(_ event: String) throws -> String {
    let actions: [SecureSession.Action]
    switch event {
    case "connect": actions = session.begin(at: now)
    case "subscribed": actions = session.subscribed(at: now)
    case "wrote": actions = session.wrote(at: now)
    case "error 80": actions = session.failed(.application(.busy), at: now)
    case "error 86": actions = session.failed(.application(.unsupported), at: now)
    case "another error": actions = session.failed(.other, at: now)
    case "link lost": actions = session.disconnected()
    case "stop": actions = session.stop(.cancelled, at: now)
    case "deadline":
      now = session.deadline ?? now
      actions = session.advance(to: now)
    case "share and proof": actions = try notify(shareAndProof())
    case "wrong proof":
      actions = try notify(
        .shareAndProof(
          share: verifierOfSome().share, proof: [UInt8](repeating: 0, count: 32)))
    case "abort: malformed": actions = try notify(.abort(.malformed))
    case "abort: wrong code": actions = try notify(.abort(.wrongCode(guessesLeft: 3)))
    case "abort: locked": actions = try notify(.abort(.lockedOut(seconds: 30)))
    case "unknown type": actions = session.notified([0xC0, 1, 0, 0x77], at: now)
    case "forged record": actions = try notify(.sealed([UInt8](repeating: 0, count: 20)))
    case "result":
      actions = try say(
        .response(id: lastRequest, .success(.map([.init(.unsigned(0), .unsigned(1))]))))
    case "failure": actions = try say(.response(id: lastRequest, .failure(RequestFailure(.notNow))))
    case "event: associating":
      actions = try say(.status(DeviceStatus(ProvisioningStatus(state: .associating, attempt: 1))))
    case "event: connected":
      actions = try say(.status(DeviceStatus(ProvisioningStatus(state: .connected, attempt: 1))))
    case "event: another attempt's":
      actions = try say(.status(DeviceStatus(ProvisioningStatus(state: .connected, attempt: 9))))
    case "event: going back":
      actions = try say(
        .status(
          DeviceStatus(
            ProvisioningStatus(
              state: .failed, reason: .wrongPassword, attempt: 1, isReturning: true))))
    case "event: back":
      actions = try say(
        .status(
          DeviceStatus(
            ProvisioningStatus(state: .rolledBack, reason: .wrongPassword, attempt: 1))))
    default:
      Issue.record("unknown event: \(event)")
      return ""
    }
    return try actions.map(describe).joined(separator: ", ")
  }

  private func notify(_ message: SessionMessage) throws -> [SecureSession.Action] {
    let segments = try SegmentWriter.segments(of: message.encoded, mtu: 517, from: notified)
    notified += segments.count
    return segments.flatMap { session.notified($0, at: now) }
  }

  private func say(_ message: DeviceMessage) throws -> [SecureSession.Action] {
    if let sealed = try records?.seal(message.encoded) { return try notify(sealed) }
    // Before there is a session, under some other key.
    var other = try SealedRecords(
      sharedKey: SecretBytes([UInt8](repeating: 1, count: 32)), side: .device)
    return try notify(other.seal(message.encoded))
  }

  /// The device's answer to the share; before that came, to some other.
  private func shareAndProof() throws -> SessionMessage {
    let verifier = try verifierOfSome()
    self.verifier = verifier
    return .shareAndProof(share: verifier.share, proof: verifier.confirmation)
  }

  private func verifierOfSome() throws -> SPAKE2Plus.Verifier {
    try SPAKE2Plus.Verifier(
      record: .init(SecurePipe.credentials().record()),
      context: SPAKE2Plus.Context(
        deviceID: SecurePipe.deviceID(), information: SecurePipe.information()),
      proverShare: share
        ?? SPAKE2Plus.Prover(
          credentials: SecurePipe.credentials(),
          context: SPAKE2Plus.Context(
            deviceID: SecurePipe.deviceID(), information: SecurePipe.information())
        ).share)
  }

  private func describe(_ action: SecureSession.Action) throws -> String {
    switch action {
    case .subscribe: "subscribe"
    case .write(let segment): "write \(try describe(segment))"
    case .opened: "opened"
    case .showRisks(let risks): "risks: \(risks.count)"
    case .showStatus(let status):
      "show \(status.value.state.name)\(status.value.isReturning ? " returning" : "")"
    case .finish(let outcome): "finish: \(describe(outcome))"
    }
  }

  private func describe(_ segment: [UInt8]) throws -> String {
    let bytes = try #require(try written.receive(segment, at: now))
    switch try SessionMessage(decoding: bytes) {
    case .share(let share):
      self.share = share
      return "share"
    case .proof(let proof):
      if let key = try verifier?.finish(proverConfirmation: proof) {
        records = try SealedRecords(sharedKey: key, side: .device)
      }
      return "proof"
    case .sealed(let record):
      let content = try #require(try records?.open(record))
      let request = try SealedRequest(decoding: content)
      lastRequest = request.id
      return "request: \(try request.method().name)"
    case .abort(let reason): return "abort: \(reason.word)"
    case .shareAndProof: return "?"
    }
  }

  private func describe(_ outcome: SecureSession.Outcome) -> String {
    switch outcome {
    case .answered, .networks, .savedNetworks: "answered"
    case .connected: "connected"
    case .failed: "failed"
    case .refused(let failure): "refused: \(failure.reason.name)"
    case .notAccepted(let reason): "not accepted: \(reason.name)"
    case .wrongCode(let left): "wrong code\(left.map { ", \($0) left" } ?? "")"
    case .lockedOut(let seconds): "locked, \(seconds) s"
    case .aborted(let reason): "aborted: \(reason.word)"
    case .notUnderstood: "not understood"
    case .linkLost: "link lost"
    case .timedOut: "timed out"
    case .cancelled: "cancelled"
    }
  }
}
