internal import Cryptography
internal import Secrets

/// The device's end of one secure session: its segments, its handshake, and its records.
///
/// After `.abort` and `.ended` it is of no more use.
struct DeviceChannel: ~Copyable, Sendable {
  /// How long a provisioner may take from its first segment to its proof: the device can be kept
  /// from others without a proof for no longer.
  static let handshakeLimit = Duration.seconds(30)

  /// What a segment leads to.
  enum Event {
    /// Nothing to do yet.
    case none
    /// A guess was counted: store that, then send this answer.
    case guess(SessionMessage)
    /// The provisioner has proved that it knows the code, and the count was reset.
    case opened
    case request(SealedRequest)
    /// Say why, and end the session.
    case abort(AbortReason)
    /// The provisioner has ended the session.
    case ended(AbortReason)
  }

  private enum Stage {
    case begun
    /// The proof is handed out, or held until the guess is stored.
    case proving(SPAKE2Plus.Verifier)
    case open
  }

  private var reader = SegmentReader()
  private var stage = Stage.begun
  private var records: SealedRecords?
  private let start: Duration

  init(at now: Duration) { start = now }

  /// Whether the provisioner has proved that it knows the code.
  var isOpen: Bool { if case .open = stage { true } else { false } }

  /// When the session has taken too long.
  var deadline: Duration? {
    let limits = [reader.deadline, isOpen ? nil : start + Self.handshakeLimit]
    return limits.compactMap(\.self).min()
  }

  /// Whether a segment could begin a session.
  static func canBegin(with segment: [UInt8]) -> Bool {
    segment.first.map { SegmentHeader(rawValue: $0).isFirst } ?? false
  }

  mutating func receive(
    _ segment: [UInt8], at now: Duration, setup: inout SecureSetup, counter: inout GuessCounter
  ) -> Event {
    let bytes: [UInt8]?
    do throws(SegmentReader.SegmentError) {
      bytes = try reader.receive(segment, at: now)
    } catch {
      return .abort(error == .silence ? .timedOut : .malformed)
    }
    guard let bytes else { return .none }
    guard let message = try? SessionMessage(decoding: bytes) else { return .abort(.malformed) }
    switch (stage, message) {
    case (.begun, .share(let share)):
      return answer(share, at: now, setup: &setup, counter: &counter)
    case (.proving(let verifier), .proof(let proof)):
      return check(proof, verifier, counter: &counter)
    // It has seen from the device's proof that its code is wrong, and asks how many are left.
    case (.proving, .abort(.wrongCode)):
      return .abort(.wrongCode(guessesLeft: counter.guessesLeft))
    case (_, .abort(let reason)): return .ended(reason)
    case (.open, .sealed(let record)): return open(record)
    case (.begun, _), (.proving, _), (.open, _): return .abort(.malformed)
    }
  }

  /// Seals what the device has to say; nil where the session has to end.
  mutating func seal(_ message: DeviceMessage) -> SessionMessage? {
    guard isOpen else { return nil }
    return try? records?.seal(message.encoded)
  }

  private mutating func answer(
    _ share: [UInt8], at now: Duration, setup: inout SecureSetup, counter: inout GuessCounter
  ) -> Event {
    do throws(GuessCounter.LockedOut) {
      try counter.check(at: now)
      // Before the guess is counted: what is no share is no guess.
      guard let verifier = try? setup.verifier(answering: share) else {
        return .abort(.malformed)
      }
      try counter.count(at: now)
      stage = .proving(verifier)
      return .guess(.shareAndProof(share: verifier.share, proof: verifier.confirmation))
    } catch {
      return .abort(.lockedOut(seconds: error.seconds))
    }
  }

  private mutating func check(
    _ proof: [UInt8], _ verifier: SPAKE2Plus.Verifier, counter: inout GuessCounter
  ) -> Event {
    guard let key = try? verifier.finish(proverConfirmation: proof) else {
      return .abort(.wrongCode(guessesLeft: counter.guessesLeft))
    }
    records = try? SealedRecords(sharedKey: key, side: .device)
    stage = .open
    counter.reset()
    return .opened
  }

  private mutating func open(_ record: [UInt8]) -> Event {
    guard let content = try? records?.open(record),
      let request = try? SealedRequest(decoding: content)
    else { return .abort(.malformed) }
    return .request(request)
  }
}
