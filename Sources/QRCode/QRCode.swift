internal import CQREncode
internal import Glibc

/// A QR code: a square of dark and light modules, without the margin around it.
package struct QRCode: Equatable, Sendable {
  /// How many light modules a scanner needs around the code.
  package static let margin = 4

  /// How many modules a side has: 21 to 177.
  package let size: Int
  /// Row by row, from the top left; true is dark.
  private let modules: [Bool]

  /// Why there is no code.
  package enum Failure: Error, Hashable, Sendable {
    /// More bytes than the largest code holds at this level of correction: 2,331.
    case tooLong(count: Int)
    case outOfMemory
    /// libpng cannot write the picture; its words.
    case picture(String)
  }

  /// Encodes bytes, with the correction of up to 15 percent of them, in the smallest code.
  package init(_ bytes: some Collection<UInt8>) throws(Failure) {
    let input = Array(bytes)
    guard let count = Int32(exactly: input.count),
      let code = QRcode_encodeData(count, input, 0, QR_ECLEVEL_M)
    else { throw errno == ENOMEM ? .outOfMemory : .tooLong(count: input.count) }
    defer { QRcode_free(code) }
    size = Int(code.pointee.width)
    // The lowest bit is the colour; the others tell what the module is for.
    modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
  }

  /// Whether the module is dark; those around the code are light.
  package func isDark(column: Int, row: Int) -> Bool {
    (0..<size).contains(column) && (0..<size).contains(row) && modules[row * size + column]
  }
}
