/// A subcommand, or the whole of a program that has none: what may stand on its command line.
package struct Command: Sendable {
  /// The word that selects it.
  package let name: String
  /// What it does: a line in the list of commands.
  package let summary: String
  /// Its options, beside those of the program.
  package let options: [any OptionDeclaration]
  /// The names of the operands it must have, in capitals.
  package let operands: [String]
  /// The name of one more operand that it may have, in capitals.
  package let optionalOperand: String?
  /// The name of what may follow the operands, after an optional `--`.
  ///
  /// Where it is set, options have to stand before the first operand, as with `env` or `timeout`.
  package let trailing: String?
  /// Text that ends its help.
  package let epilogue: String?

  /// Declares a command.
  package init(
    _ name: String, summary: String, options: [any OptionDeclaration] = [],
    operands: [String] = [], optionalOperand: String? = nil, trailing: String? = nil,
    epilogue: String? = nil
  ) {
    self.name = name
    self.summary = summary
    self.options = options
    self.operands = operands
    self.optionalOperand = optionalOperand
    self.trailing = trailing
    self.epilogue = epilogue
  }
}
