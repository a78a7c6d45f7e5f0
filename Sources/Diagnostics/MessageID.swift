/// Names a kind of line, the same in every release, so that programs find it in the journal
/// (`MESSAGE_ID` of systemd.journal-fields(7)) and a catalog explains it.
package struct MessageID: Hashable, Sendable {
  /// 32 lower-case hexadecimal digits.
  package let text: String
  /// Whether everybody in radio range can cause such lines, so that they are limited in number.
  package let isLimited: Bool

  /// Makes an id from 32 digits that were drawn once, by `systemd-id128 new`.
  package init(_ text: String, isLimited: Bool = false) {
    self.text = text
    self.isLimited = isLimited
  }
}
