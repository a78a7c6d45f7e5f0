package import CBOR

/// The result of `scan`: a part of the list of networks.
package struct NetworkPage: Hashable, Sendable {
  /// How many networks a device puts into a page: under 1,100 bytes, some 60 segments at the
  /// smallest MTU.
  package static let size = 16

  package var networks: [VisibleNetwork]
  /// The index at which the list goes on; nil at its end.
  package var next: UInt32?

  package init(networks: [VisibleNetwork], next: UInt32? = nil) {
    self.networks = networks
    self.next = next
  }

  /// The page of a list that begins at an index; nil where that is not in the list.
  package init?(of list: [VisibleNetwork], from index: UInt32) {
    guard let start = Int(exactly: index), start == 0 || start < list.count else { return nil }
    networks = Array(list.dropFirst(start).prefix(Self.size))
    let end = start + networks.count
    next = end < list.count ? UInt32(exactly: end) : nil
  }

  /// Reads the result.
  package init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    networks = []
    guard let items = try fields.items(0) else { throw .missing(0) }
    for item in items { networks.append(try VisibleNetwork(item)) }
    next = try fields.number(1)
  }

  /// The map for the result.
  package var map: CBORValue {
    CBORValue(fields: [0: .array(networks.map(\.map)), 1: next.map { .unsigned(UInt64($0)) }])
  }
}
