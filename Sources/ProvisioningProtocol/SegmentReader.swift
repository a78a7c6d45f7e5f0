/// Puts segments together to messages.
///
/// Times are durations since any fixed start. An error drops the message; the next one begins anew.
package struct SegmentReader: Sendable {
  /// How long a sender may be silent inside a message.
  package static let silenceLimit = Duration.seconds(10)

  /// Why a message was dropped.
  package enum SegmentError: Error, Hashable, Sendable {
    /// No header, no length where one must be, or no content.
    case truncated(count: Int)
    /// A segment in the middle, and its message has not begun or was dropped.
    case notBegun
    /// A message that began before this one had all its segments.
    case interrupted
    /// A segment with another number than the next.
    case gap(expected: UInt8, got: UInt8)
    /// A message of no bytes, or of more than 16,384.
    case length(Int)
    /// More bytes than the message has.
    case overrun
    /// The last segment, and the message lacks bytes; or the last byte, in a segment that is not
    /// marked as the last.
    case wrongEnd
    /// No segment for 10 s.
    case silence
  }

  /// What segments are numbered in.
  package enum Count: Sendable {
    /// The provisioner's: each message begins with 0.
    case message
    /// The device's: the session begins with 0.
    case session
  }

  private struct Partial {
    let length: Int
    var content: [UInt8] = []
    var lastHeard: Duration
  }

  private let count: Count
  private var partial: Partial?
  /// The number of the next segment, not yet modulo 64.
  private var next = 0

  package init(counting count: Count = .message) { self.count = count }

  /// When to call `advance`; nil outside a message.
  package var deadline: Duration? { partial.map { $0.lastHeard + Self.silenceLimit } }

  /// Takes a segment of any length, and gives the message when it is complete.
  package mutating func receive(
    _ segment: [UInt8], at now: Duration
  ) throws(SegmentError) -> [UInt8]? {
    try advance(to: now)
    let begun = partial
    // Stays so if anything is wrong.
    partial = nil
    guard let first = segment.first else { throw .truncated(count: 0) }
    let header = SegmentHeader(rawValue: first)
    var message: Partial
    var content = segment.dropFirst()
    if header.isFirst {
      guard begun == nil else { throw .interrupted }
      if count == .message { next = 0 }
      guard segment.count > 3 else { throw .truncated(count: segment.count) }
      message = Partial(length: Int(segment[1]) | Int(segment[2]) << 8, lastHeard: now)
      guard SegmentWriter.messageLength.contains(message.length) else {
        throw .length(message.length)
      }
      content = segment.dropFirst(3)
    } else {
      guard let begun else { throw .notBegun }
      guard segment.count > 1 else { throw .truncated(count: segment.count) }
      message = begun
      message.lastHeard = now
    }
    let expected = SegmentHeader(sequence: next).sequence
    guard header.sequence == expected else {
      throw .gap(expected: expected, got: header.sequence)
    }
    next += 1
    message.content += content
    guard message.content.count <= message.length else { throw .overrun }
    guard header.isLast == (message.content.count == message.length) else { throw .wrongEnd }
    if header.isLast { return message.content }
    partial = message
    return nil
  }

  /// Drops a message whose sender has been silent for too long by `now`.
  package mutating func advance(to now: Duration) throws(SegmentError) {
    guard let deadline, now >= deadline else { return }
    partial = nil
    throw .silence
  }
}
