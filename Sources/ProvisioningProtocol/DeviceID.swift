/// The six bytes by which labels, manifests and the command line select a device.
///
/// Shown as 12 lowercase hexadecimal digits. Bluetooth addresses may be private and names repeat,
/// so neither takes its place.
package struct DeviceID: Hashable, Sendable {
  /// Exactly six.
  package let bytes: [UInt8]

  /// Takes six bytes; any other count gives nil.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 6 else { return nil }
    self.bytes = Array(bytes)
  }
}

extension DeviceID: LosslessStringConvertible {
  /// Reads 12 hexadecimal digits of either case; anything else gives nil.
  package init?(_ description: String) {
    let digits = description.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 12, description.utf8.count == 12 else { return nil }
    self.init(
      bytes: stride(from: 0, to: 12, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }

  package var description: String { hexadecimal(bytes) }
}
