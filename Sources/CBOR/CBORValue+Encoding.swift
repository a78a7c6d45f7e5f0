internal import CCBOR
package import Secrets

extension CBORValue {
  /// The item in the core deterministic encoding of RFC 8949, section 4.2.1.
  ///
  /// Of two entries with the same key in a map, both are written: not to have any is the caller's
  /// part.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    encode(to: &bytes)
    return bytes
  }

  /// What `encoded` gives, for an item with secrets in it.
  package var encodedSecret: SecretBytes {
    var bytes: [UInt8] = []
    // An array that grows leaves behind what it held, and nobody wipes that.
    bytes.reserveCapacity(longestEncoding)
    encode(to: &bytes)
    return SecretBytes(wiping: &bytes)
  }

  /// How many bytes the encoding has at most.
  private var longestEncoding: Int {
    let content =
      switch self {
      case .bytes(let content): content.count
      case .text(let text): text.utf8.count
      case .array(let items): items.reduce(0) { $0 + $1.longestEncoding }
      case .map(let entries):
        entries.reduce(0) { $0 + $1.key.longestEncoding + $1.value.longestEncoding }
      case .tagged(_, let content): content.longestEncoding
      case .unsigned, .negative, .bool, .null, .undefined, .float: 0
      }
    return [UInt8].headCapacity + content
  }

  private func encode(to bytes: inout [UInt8]) {
    switch self {
    case .unsigned(let number):
      bytes.appendHead { cbor_encode_uint(number, $0, $1) }
    case .negative(let number):
      bytes.appendHead { cbor_encode_negint(number, $0, $1) }
    case .bytes(let content):
      bytes.appendHead { cbor_encode_bytestring_start(content.count, $0, $1) }
      bytes += content
    case .text(let text):
      bytes.appendHead { cbor_encode_string_start(text.utf8.count, $0, $1) }
      bytes += text.utf8
    case .array(let items):
      bytes.appendHead { cbor_encode_array_start(items.count, $0, $1) }
      for item in items { item.encode(to: &bytes) }
    case .map(let entries):
      bytes.appendHead { cbor_encode_map_start(entries.count, $0, $1) }
      let encoded = entries.map { (key: $0.key.encoded, value: $0.value) }
      for entry in encoded.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        bytes += entry.key
        entry.value.encode(to: &bytes)
      }
    case .tagged(let tag, let content):
      bytes.appendHead { cbor_encode_tag(tag, $0, $1) }
      content.encode(to: &bytes)
    case .bool(let value):
      bytes.appendHead { cbor_encode_bool(value, $0, $1) }
    case .null:
      bytes.appendHead { cbor_encode_null($0, $1) }
    case .undefined:
      bytes.appendHead { cbor_encode_undef($0, $1) }
    case .float(let number):
      bytes.appendFloat(number)
    }
  }
}

extension [UInt8] {
  /// The length of the longest head, or item without content.
  fileprivate static var headCapacity: Int { 9 }

  /// Appends what libcbor writes.
  fileprivate mutating func appendHead(_ write: (UnsafeMutablePointer<UInt8>?, Int) -> Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.headCapacity) { buffer in
      let count = write(buffer.baseAddress, buffer.count)
      append(contentsOf: buffer.prefix(count))
    }
  }

  /// Appends the shortest float that has the value.
  fileprivate mutating func appendFloat(_ number: Double) {
    let half = Float16(number)
    if number.isNaN {
      self += [0xF9, 0x7E, 0x00]
    } else if Double(half) == number {
      // By hand: cbor_encode_half of libcbor 0.8 loses bits of subnormal numbers.
      self += [0xF9, UInt8(half.bitPattern >> 8), UInt8(half.bitPattern & 0xFF)]
    } else if Double(Float(number)) == number {
      appendHead { cbor_encode_single(Float(number), $0, $1) }
    } else {
      appendHead { cbor_encode_double(number, $0, $1) }
    }
  }
}
