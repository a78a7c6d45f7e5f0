/// The byte before a segment's content.
struct SegmentHeader {
  var isFirst = false
  var isLast = false
  /// The segment's number modulo 64: of the provisioner's in their message, of the device's in the
  /// session.
  let sequence: UInt8

  init(sequence: Int) { self.sequence = UInt8(sequence & 0x3F) }

  init(rawValue: UInt8) {
    isFirst = rawValue & 0x80 != 0
    isLast = rawValue & 0x40 != 0
    sequence = rawValue & 0x3F
  }

  var rawValue: UInt8 { (isFirst ? 0x80 : 0) | (isLast ? 0x40 : 0) | sequence }
}
