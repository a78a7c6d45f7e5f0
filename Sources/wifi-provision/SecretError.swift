internal import ProvisioningProtocol

/// Why there is no password, or no setup code.
struct SecretError: Error, Equatable {
  /// What went wrong, in terms of where the secret should have come from.
  enum Problem: Equatable {
    /// The source cannot be read; with the system's reason.
    case unreadable(source: String, reason: String)
    /// The source holds nothing, or a line end only.
    case empty(source: String)
    /// The source holds more than the secret can have.
    case tooLong(source: String)
    /// The source holds bytes that no password can have: what is not UTF-8, or a NUL.
    case notText
    /// What was given is no setup code.
    case code(SetupCode.FormatError)
    /// What was given begins like a label's URI, and is none.
    case label(SetupURI.FormatError)
    /// No source was named, and there is no terminal to ask on.
    case noTerminal
    /// What was read, and the rest of the network's description, do not belong together.
    case network(NetworkDescriptionError)
    /// A signal came while the terminal was asked.
    case interrupted(signal: Int32)
  }

  let secret: Secret
  let problem: Problem

  init(_ secret: Secret, _ problem: Problem) {
    self.secret = secret
    self.problem = problem
  }

  /// The error in words, for a person; what was given is not repeated.
  var message: String {
    let name = secret.name
    switch problem {
    case .unreadable(let source, let reason):
      return "cannot read the \(name) from \(source): \(reason)"
    case .empty(let source):
      let advice = secret == .password ? "; for a network without a password give --open" : ""
      return "the \(name) from \(source) is empty\(advice)"
    case .tooLong(let source):
      return "the \(name) from \(source) is longer than \(secret.maximumLength) bytes"
    case .notText: return "the password is not UTF-8 text"
    case .code(let error): return error.words
    case .label(let error): return "the label's URI cannot be used: \(error.words)"
    case .network(let error): return error.words
    case .noTerminal: return "no \(name): give \(secret.options), or call from a terminal"
    case .interrupted(let signal): return "interrupted by signal \(signal)"
    }
  }
}

extension SetupCode.FormatError {
  /// The error in words, for a person.
  var words: String {
    switch self {
    case .notNineDigits: "a setup code has nine digits, in groups such as 314-159-266"
    case .checkDigit: "the setup code is mistyped: its last digit, which checks it, does not fit"
    case .trivial: "no device has such a setup code: it would be guessed first"
    }
  }
}

extension SetupURI.FormatError {
  /// The error in words, for a person.
  var words: String {
    switch self {
    case .tooLong: "it is longer than \(SetupURI.maximumLength) bytes"
    case .foreign: "it does not begin with wifiprov:"
    case .unsupportedVersion: "it is of another version than 1"
    case .malformed(let offset): "its byte \(offset) may not stand there"
    case .missing(let key): "it has no \(key.rawValue)"
    case .duplicate(let key): "it has more than one \(key.rawValue)"
    case .deviceID: "its id is not 12 hexadecimal digits"
    case .code(let error): error.words
    case .name: "its name is not UTF-8 text"
    }
  }
}
