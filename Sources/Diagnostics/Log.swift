internal import Glibc

/// Writes lines for the person who looks after the program.
///
/// Each line is one `write(2)`, so that lines of several threads do not mix. Control characters,
/// which names from the air may hold, come out escaped. Secrets are never interpolated.
package struct Log: Sendable {
  /// How much a line matters; the raw values are those of syslog.
  package enum Level: Int, Comparable, Sendable {
    /// The program cannot do what it is for.
    case error = 3
    /// Somebody has to act.
    case warning = 4
    /// Normal, and worth knowing later.
    case notice = 5
    /// A step on the way.
    case info = 6
    /// For somebody who looks for a defect.
    case debug = 7

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// The shape of a line.
  package enum Format: Sendable {
    /// `<4>text`: the journal reads the level from it.
    case journal
    /// `warning: text`, or the text alone for what is no trouble.
    case plain
  }

  private let threshold: Level
  private let format: Format
  private let write: @Sendable ([UInt8]) -> Void

  /// Makes a log that gives whole lines, with their end, to `write`.
  ///
  /// - Parameter threshold: what matters less than this is left out.
  package init(threshold: Level, format: Format, write: @escaping @Sendable ([UInt8]) -> Void) {
    self.threshold = threshold
    self.format = format
    self.write = write
  }

  /// Makes the log of a program: to standard error, in the journal's format where standard error
  /// is the journal.
  package static func standardError(threshold: Level) -> Log {
    Log(threshold: threshold, format: standardErrorIsJournal ? .journal : .plain) { line in
      // A log that cannot be written has nobody to tell.
      _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  }

  /// Writes a line at level ``Level/error``.
  package func error(_ text: @autoclosure () -> String) { line(.error, text) }
  /// Writes a line at level ``Level/warning``.
  package func warning(_ text: @autoclosure () -> String) { line(.warning, text) }
  /// Writes a line at level ``Level/notice``.
  package func notice(_ text: @autoclosure () -> String) { line(.notice, text) }
  /// Writes a line at level ``Level/info``.
  package func info(_ text: @autoclosure () -> String) { line(.info, text) }
  /// Writes a line at level ``Level/debug``.
  package func debug(_ text: @autoclosure () -> String) { line(.debug, text) }

  private func line(_ level: Level, _ text: () -> String) {
    guard level <= threshold else { return }
    let prefix =
      switch (format, level) {
      case (.journal, _): "<\(level.rawValue)>"
      case (.plain, .error): "error: "
      case (.plain, .warning): "warning: "
      case (.plain, _): ""
      }
    write(Array((prefix + text().escapingControls + "\n").utf8))
  }

  /// Whether the journal's socket, which the service manager names, is standard error itself and
  /// not just inherited by a shell that redirected it.
  private static var standardErrorIsJournal: Bool {
    guard let stream = getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return false }
    return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }
}
