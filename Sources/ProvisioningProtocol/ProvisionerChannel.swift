internal import Cryptography
internal import Secrets

/// The provisioner's end of one secure session: its segments, its handshake, and its records.
///
/// After `.abort` and `.ended` it is of no more use.
struct ProvisionerChannel: ~Copyable, Sendable {
  /// What a segment leads to.
  enum Event {
    /// Nothing to do yet.
    case none
    /// The device has proved that it knows the code's record: send it this proof, and requests.
    case opened(SessionMessage)
    case message(DeviceMessage)
    /// Say why, and end the session.
    case abort(AbortReason)
    /// The device has ended the session.
    case ended(AbortReason)
  }

  private enum Stage {
    case begun(SPAKE2Plus.Prover)
    case open
    /// The proof was wrong, which the device is told.
    case rejecting
  }

  private var sorter = SegmentSorter()
  private var reader = SegmentReader(counting: .session)
  private var stage: Stage
  private var records: SealedRecords?

  /// The message that begins the session.
  let share: SessionMessage

  init(_ prover: SPAKE2Plus.Prover) {
    share = .share(prover.share)
    stage = .begun(prover)
  }

  /// When a message has been broken off for too long.
  var deadline: Duration? { [reader.deadline, sorter.deadline].compactMap(\.self).min() }

  /// Takes a segment as it arrives, and gives those to `receive` whose turn has come.
  mutating func sort(
    _ segment: [UInt8], at now: Duration
  ) throws(SegmentReader.SegmentError) -> [[UInt8]] {
    try sorter.receive(segment, at: now)
  }

  /// Takes the next segment.
  mutating func receive(_ segment: [UInt8], at now: Duration) -> Event {
    let bytes: [UInt8]?
    do throws(SegmentReader.SegmentError) {
      bytes = try reader.receive(segment, at: now)
    } catch {
      return .abort(error == .silence ? .timedOut : .malformed)
    }
    guard let bytes else { return .none }
    guard let message = try? SessionMessage(decoding: bytes) else { return .abort(.malformed) }
    switch (stage, message) {
    case (_, .abort(let reason)): return .ended(reason)
    case (.begun(let prover), .shareAndProof(let share, let proof)):
      return check(share, proof, prover)
    case (.open, .sealed(let record)):
      guard let content = try? records?.open(record),
        let message = try? DeviceMessage(decoding: content)
      else { return .abort(.malformed) }
      return .message(message)
    case (.begun, _), (.open, _), (.rejecting, _): return .abort(.malformed)
    }
  }

  /// Seals a request; nil where the session has to end.
  mutating func seal(_ request: SealedRequest) -> SessionMessage? {
    try? records?.seal(request.encoded)
  }

  private mutating func check(
    _ share: [UInt8], _ proof: [UInt8], _ prover: SPAKE2Plus.Prover
  ) -> Event {
    do throws(CryptographyError) {
      let (proof, key) = try prover.finish(verifierShare: share, verifierConfirmation: proof)
      records = try? SealedRecords(sharedKey: key, side: .provisioner)
      stage = .open
      return .opened(.proof(proof))
    } catch .notAuthentic {
      stage = .rejecting
      return .abort(.wrongCode(guessesLeft: nil))
    } catch {
      return .abort(.malformed)
    }
  }
}
