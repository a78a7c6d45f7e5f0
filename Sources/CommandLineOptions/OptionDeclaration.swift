/// What the parser needs to know of an option, whatever the type of its value.
package protocol OptionDeclaration: Sendable {
  /// The long name, without its dashes.
  var name: String { get }
  /// The one-letter name, if there is one.
  var short: Character? { get }
  /// What stands for the value in the help; nil for an option that takes none.
  var placeholder: String? { get }
  /// A line for the help.
  var summary: String { get }

  /// Converts an argument.
  ///
  /// - Throws: when the option does not take it; the message names the option and what it takes.
  func value(of bytes: [UInt8]) throws(UsageError) -> any Sendable
}
