internal import CCBOR
internal import Secrets

/// What libcbor's streaming decoder reports: an item without content, or the start or end of one.
enum Token {
  case value(CBORValue)
  /// A definite text string, not yet checked to be UTF-8.
  case text([UInt8])
  case arrayStart(count: UInt64?)
  case mapStart(count: UInt64?)
  case tag(UInt64)
  case bytesStart
  case textStart
  case stop

  /// Reads the token at `offset`, and tells how many bytes it takes.
  static func read(
    _ bytes: UnsafeRawBufferPointer, at offset: Int
  ) throws(CBORError) -> (token: Token, length: Int) {
    // By hand: libcbor 0.8 refuses the tags 6 to 20 in the one byte that they should take.
    if offset < bytes.count, (0xC0...0xD7).contains(bytes[offset]) {
      return (.tag(UInt64(bytes[offset] & 0x1F)), 1)
    }
    var token: Token?
    let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...]).bindMemory(to: UInt8.self)
    let result = withUnsafePointer(to: callbacks) { callbacks in
      withUnsafeMutablePointer(to: &token) { token in
        cbor_stream_decode(rest.baseAddress, rest.count, callbacks, token)
      }
    }
    switch result.status {
    case CBOR_DECODER_FINISHED:
      guard let token else { throw .malformed(offset: offset) }
      return (token, result.read)
    case CBOR_DECODER_NEDATA: throw .truncated
    default: throw .malformed(offset: offset)
    }
  }

  private static var callbacks: cbor_callbacks {
    var table = cbor_empty_callbacks
    table.uint8 = { report($0, .value(.unsigned(UInt64($1)))) }
    table.uint16 = { report($0, .value(.unsigned(UInt64($1)))) }
    table.uint32 = { report($0, .value(.unsigned(UInt64($1)))) }
    table.uint64 = { report($0, .value(.unsigned($1))) }
    table.negint8 = { report($0, .value(.negative(UInt64($1)))) }
    table.negint16 = { report($0, .value(.negative(UInt64($1)))) }
    table.negint32 = { report($0, .value(.negative(UInt64($1)))) }
    table.negint64 = { report($0, .value(.negative($1))) }
    table.byte_string = { report($0, .value(.bytes(SecretBytes(content($1, $2))))) }
    table.byte_string_start = { report($0, .bytesStart) }
    table.string = { report($0, .text(Array(content($1, $2)))) }
    table.string_start = { report($0, .textStart) }
    // A size_t comes as a signed number; the length that the input claims may be any.
    table.array_start = { report($0, .arrayStart(count: UInt64(UInt(bitPattern: $1)))) }
    table.indef_array_start = { report($0, .arrayStart(count: nil)) }
    table.map_start = { report($0, .mapStart(count: UInt64(UInt(bitPattern: $1)))) }
    table.indef_map_start = { report($0, .mapStart(count: nil)) }
    table.tag = { report($0, .tag($1)) }
    table.float2 = { report($0, .value(.float(Double($1)))) }
    table.float4 = { report($0, .value(.float(Double($1)))) }
    table.float8 = { report($0, .value(.float($1))) }
    table.undefined = { report($0, .value(.undefined)) }
    table.null = { report($0, .value(.null)) }
    table.boolean = { report($0, .value(.bool($1))) }
    table.indef_break = { report($0, .stop) }
    return table
  }
}

/// Sets the token that the context points to.
private func report(_ context: UnsafeMutableRawPointer?, _ token: Token) {
  context?.assumingMemoryBound(to: Token?.self).pointee = token
}

private func content(
  _ start: UnsafePointer<UInt8>?, _ count: Int
) -> UnsafeBufferPointer<UInt8> {
  UnsafeBufferPointer(start: start, count: count)
}
