internal import ProvisioningProtocol

/// How a command ended: the last line of its output.
struct CommandResult: Equatable, Sendable {
  /// What became of it, in one word.
  enum Outcome: String, Sendable {
    /// The device is in the Wi-Fi network.
    case connected
    /// The command did what it is for, without a network to join.
    case done
    case failed
  }

  let outcome: Outcome
  /// Why it failed, in kebab-case; `none` where it did not.
  let reason: String
  let exitCode: ExitCode
  /// A sentence for a person.
  let message: String
  /// What to do next; may be empty.
  let advice: String
  /// What a failure was concluded from, where the device told it.
  var evidence: AttemptEvidence?
}

extension CommandResult {
  /// The result of a command that did what it is for.
  static func done(_ message: String = "", _ advice: String = "") -> CommandResult {
    CommandResult(
      outcome: .done, reason: "none", exitCode: .done, message: message, advice: advice)
  }
}
