/// Puts the pages of a device's list together.
struct ListCollector<Item: ListItem>: Sendable {
  /// How many items are taken in from a device.
  private static var limit: Int { 1024 }

  private(set) var items: [Item] = []

  /// Takes the next page.
  ///
  /// - Returns: the index to ask for next; nil at the list's end.
  mutating func take(_ page: ListPage<Item>) -> UInt32? {
    items += page.items
    // Forward only, so that a faulty device comes to an end too.
    guard let next = page.next, next == items.count, !page.items.isEmpty,
      items.count < Self.limit
    else { return nil }
    return next
  }
}
