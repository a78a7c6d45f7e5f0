/// What a program that reads the journal finds beside a line's text.
package struct LogField: Equatable, Sendable {
  /// Upper-case letters, digits and underscores; not at the beginning (systemd.journal-fields(7)).
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
