/// A command line that was understood.
package struct Invocation: Sendable {
  /// The name of the subcommand; nil when the program was called without one.
  package let command: String?
  /// As many operands as the command declares, as the shell passed them; one more where it has an
  /// optional one that was given.
  package let operands: [[UInt8]]
  /// What follows the operands of a command that allows it.
  package let trailing: [[UInt8]]

  private let values: [String: any Sendable]

  init(
    command: String?, operands: [[UInt8]], trailing: [[UInt8]], values: [String: any Sendable]
  ) {
    self.command = command
    self.operands = operands
    self.trailing = trailing
    self.values = values
  }

  /// Whether the flag was given.
  package subscript(flag: Option<Bool>) -> Bool { values[flag.name] as? Bool ?? false }

  /// Whether the option was given, whatever its value.
  package func has(_ option: any OptionDeclaration) -> Bool { values[option.name] != nil }

  /// The option's value; nil when it was not given.
  package subscript<Value>(option: Option<Value>) -> Value? { values[option.name] as? Value }
}
