/// A command line that the program does not understand, in words for the person who typed it.
package struct UsageError: Error, Equatable, Sendable {
  /// The exit status of a program that was called wrongly.
  package static let exitStatus: Int32 = 2

  /// What is wrong: one line without a full stop at its end.
  package let message: String

  /// The subcommand whose `--help` tells more, if one was recognized.
  package let command: String?

  /// Makes an error that a program found itself, such as two options that exclude each other.
  package init(_ message: String, command: String? = nil) {
    self.message = message
    self.command = command
  }
}
