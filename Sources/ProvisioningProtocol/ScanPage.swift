package import CBOR

/// The result of `scan`: a part of the list, and what there is to know of the whole.
package struct ScanPage: Hashable, Sendable {
  package var page: ListPage<VisibleNetwork>
  /// How long ago the device looked, in seconds.
  package var age: UInt32
  /// How many access points keep their network's name to themselves.
  package var hiddenCount: UInt32

  package init(_ page: ListPage<VisibleNetwork>, age: UInt32 = 0, hiddenCount: UInt32 = 0) {
    self.page = page
    self.age = age
    self.hiddenCount = hiddenCount
  }

  /// The page that begins at an index; nil where that is not in the list.
  package init?(of list: VisibleNetworks, from index: UInt32) {
    guard let page = ListPage(of: list.networks, from: index) else { return nil }
    self.init(page, age: list.age, hiddenCount: list.hiddenCount)
  }

  /// Reads the result.
  package init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    self.init(
      try ListPage(value), age: try fields.number(2) ?? 0, hiddenCount: try fields.number(3) ?? 0)
  }

  /// The map for the result.
  package var map: CBORValue {
    CBORValue(fields: [
      0: .array(page.items.map(\.map)), 1: page.next.map { .unsigned(UInt64($0)) },
      2: .unsigned(UInt64(age)), 3: .unsigned(UInt64(hiddenCount)),
    ])
  }
}
