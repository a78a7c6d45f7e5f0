/// One run of `wifi-provision`, and what it has to come to.
package struct ScenarioStep: Sendable, Equatable {
  /// The word after `step` in the file.
  package var name: String
  /// The arguments; the word `{device}` stands for the device's id.
  package var arguments: [String]
  /// A line for its standard input; nil for an empty one.
  package var input: String?
  /// The exit status; nil where it does not matter.
  package var exitStatus: Int32?
  /// The last state that it reports, such as `failed`; nil where it does not matter.
  package var state: String?
  /// The reason beside that state, such as `wrong-password`; nil where it does not matter.
  package var reason: String?

  /// Describes a step.
  package init(
    name: String, arguments: [String], input: String? = nil, exitStatus: Int32? = nil,
    state: String? = nil, reason: String? = nil
  ) {
    self.name = name
    self.arguments = arguments
    self.input = input
    self.exitStatus = exitStatus
    self.state = state
    self.reason = reason
  }
}
