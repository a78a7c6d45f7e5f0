package import CBOR

/// The result of `scan` or `list`: a part of the list.
package struct ListPage<Item: ListItem>: Hashable, Sendable {
  /// How many items a device puts into a page: under 1,100 bytes, some 60 segments at the smallest
  /// MTU.
  package static var size: Int { 16 }

  package var items: [Item]
  /// The index at which the list goes on; nil at its end.
  package var next: UInt32?

  package init(items: [Item], next: UInt32? = nil) {
    self.items = items
    self.next = next
  }

  /// The page of a list that begins at an index; nil where that is not in the list.
  package init?(of list: [Item], from index: UInt32) {
    guard let start = Int(exactly: index), start == 0 || start < list.count else { return nil }
    items = Array(list.dropFirst(start).prefix(Self.size))
    let end = start + items.count
    next = end < list.count ? UInt32(exactly: end) : nil
  }

  /// Reads the result.
  package init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    items = []
    guard let values = try fields.items(0) else { throw .missing(0) }
    for value in values { items.append(try Item(value)) }
    next = try fields.number(1)
  }

  /// The map for the result.
  package var map: CBORValue {
    CBORValue(fields: [0: .array(items.map(\.map)), 1: next.map { .unsigned(UInt64($0)) }])
  }
}
