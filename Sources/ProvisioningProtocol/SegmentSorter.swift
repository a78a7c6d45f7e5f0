/// Puts the device's segments back into the order in which they were sent.
///
/// A Bluetooth service may send notifications over several channels at once, as BlueZ 5.54 to 5.66
/// does to its like (Core Specification, Vol 3, Part F, 3.2.11), and read them in any order.
package struct SegmentSorter: Sendable {
  /// How many segments may be on their way at once.
  package static let window: UInt8 = 32

  private var next: UInt8 = 0
  /// What came before its turn, by its number.
  private var early: [UInt8: [UInt8]] = [:]
  private var heldSince: Duration?

  package init() {}

  /// When to give up waiting for the segment whose turn it is; nil while none is held.
  package var deadline: Duration? { heldSince.map { $0 + SegmentReader.silenceLimit } }

  /// Takes a segment, and gives those whose turn has come, in order.
  ///
  /// One that was there already, or is too far ahead, is a gap.
  package mutating func receive(
    _ segment: [UInt8], at now: Duration
  ) throws(SegmentReader.SegmentError) -> [[UInt8]] {
    if let deadline, now >= deadline { throw .silence }
    guard let first = segment.first else { throw .truncated(count: 0) }
    let number = SegmentHeader(rawValue: first).sequence
    let ahead = SegmentHeader(sequence: Int(number) - Int(next)).sequence
    guard ahead < Self.window, early.updateValue(segment, forKey: number) == nil else {
      throw .gap(expected: next, got: number)
    }
    var sorted: [[UInt8]] = []
    while let segment = early.removeValue(forKey: next) {
      sorted.append(segment)
      next = SegmentHeader(sequence: Int(next) + 1).sequence
    }
    heldSince = early.isEmpty ? nil : now
    return sorted
  }
}
