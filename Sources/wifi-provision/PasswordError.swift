/// Why there is no password.
enum PasswordError: Error, Equatable {
  /// The source cannot be read; with the system's reason.
  case unreadable(source: String, reason: String)
  /// The source holds nothing, or a line end only.
  case empty(source: String)
  /// The source holds more than a password can have.
  case tooLong(source: String)
  /// The source holds bytes that no password can have: what is not UTF-8, or a NUL.
  case notText(source: String)
  /// No source was named, and there is no terminal to ask on.
  case noTerminal
  /// A signal came while the terminal was asked.
  case interrupted(signal: Int32)

  /// The error in words, for a person.
  var message: String {
    switch self {
    case .unreadable(let source, let reason): "cannot read the password from \(source): \(reason)"
    case .empty(let source):
      "the password from \(source) is empty; for a network without a password give --open"
    case .tooLong(let source):
      "the password from \(source) is longer than \(PasswordSource.maximumLength) bytes"
    case .notText(let source): "the password from \(source) is not UTF-8 text"
    case .noTerminal:
      "no password: give --password-stdin, --password-file or --open, or call from a terminal"
    case .interrupted(let signal): "interrupted by signal \(signal)"
    }
  }
}
