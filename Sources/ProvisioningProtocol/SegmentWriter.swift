/// Cuts messages into segments that fit a link.
package enum SegmentWriter {
  /// The length of a message, in bytes.
  package static let messageLength = 1...16_384
  /// The smallest MTU of Bluetooth Low Energy, which holds until a larger one is known.
  package static let minimumMTU = 23

  /// An attribute's value has up to 512 bytes, but bluetoothd 5.66 counts the two of the handle, and
  /// refuses what is longer by itself.
  package static let largestSegment = 510

  /// Why a message cannot be sent.
  package enum LengthError: Error, Hashable, Sendable {
    case empty
    case tooLong(count: Int)
  }

  /// The segments of a message, in order, for a link of this MTU; the first has the number `start`.
  ///
  /// A segment leaves three bytes of the MTU to ATT, and is never longer than what BlueZ takes. An
  /// MTU below the smallest counts as that.
  package static func segments(
    of message: [UInt8], mtu: Int = minimumMTU, from start: Int = 0
  ) throws(LengthError) -> [[UInt8]] {
    guard !message.isEmpty else { throw .empty }
    guard message.count <= messageLength.upperBound else { throw .tooLong(count: message.count) }
    let limit = min(max(mtu, minimumMTU) - 3, largestSegment)
    var segments: [[UInt8]] = []
    var rest = message[...]
    while !rest.isEmpty {
      var header = SegmentHeader(sequence: start + segments.count)
      var segment: [UInt8] = [0]
      if segments.isEmpty {
        header.isFirst = true
        segment += [UInt8(message.count & 0xFF), UInt8(message.count >> 8)]
      }
      let content = rest.prefix(limit - segment.count)
      rest = rest.dropFirst(content.count)
      header.isLast = rest.isEmpty
      segment[0] = header.rawValue
      segments.append(segment + content)
    }
    return segments
  }
}
