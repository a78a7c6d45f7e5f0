/// How much a decoder takes in from outside.
package struct CBORLimits: Sendable {
  /// The length of the input.
  package var bytes: Int
  /// How deep arrays, maps, tags and strings in chunks may be inside one another.
  ///
  /// Values are compared, encoded and released by recursion, so keep it small.
  package var depth: Int
  /// How many items there may be in all, each key, value, tag and chunk counted.
  package var items: Int

  package init(bytes: Int = 4096, depth: Int = 16, items: Int = 1024) {
    self.bytes = bytes
    self.depth = depth
    self.items = items
  }
}
