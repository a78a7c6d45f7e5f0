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
    /// An entry of the journal with its fields, in the format of
    /// systemd.io/JOURNAL_NATIVE_PROTOCOL; the program's name goes into `SYSLOG_IDENTIFIER`.
    case entry(program: String)
    /// `<4>text`: the journal reads the level from a line of standard error.
    case prefixed
    /// `warning: text`, or the text alone for what is no trouble.
    case plain
  }

  private let threshold: Level
  private let format: Format
  private let limit = LineLimit()
  private let now: @Sendable () -> ContinuousClock.Instant
  private let write: @Sendable ([UInt8]) -> Void

  /// Makes a log that gives whole lines with their end, or whole entries, to `write`.
  ///
  /// - Parameters:
  ///   - threshold: what matters less than this is left out.
  ///   - now: the clock by which lines are limited in number.
  package init(
    threshold: Level, format: Format,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
    write: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.threshold = threshold
    self.format = format
    self.now = now
    self.write = write
  }

  /// Makes the log of a program: to the journal where standard error is the journal, otherwise to
  /// standard error.
  package static func standardError(threshold: Level, program: String) -> Log {
    guard standardErrorIsJournal else {
      return Log(threshold: threshold, format: .plain, write: writeToStandardError)
    }
    let socketPath = "/run/systemd/journal/socket"
    // Not to be reached in a service that has a root folder of its own.
    guard access(socketPath, W_OK) == 0 else {
      return Log(threshold: threshold, format: .prefixed, write: writeToStandardError)
    }
    let journal = UnixDatagram(socketPath: socketPath)
    // An entry for which a busy journal has no room is lost: nothing waits for a log.
    return Log(threshold: threshold, format: .entry(program: program)) { _ = journal.send($0) }
  }

  private static func writeToStandardError(_ line: [UInt8]) {
    // A log that cannot be written has nobody to tell.
    _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Writes a line at level ``Level/error``.
  ///
  /// - Parameters:
  ///   - id: what kind of line it is, for those that somebody may look for.
  ///   - fields: what the text says, for programs.
  package func error(
    _ text: @autoclosure () -> String, _ id: MessageID? = nil,
    _ fields: @autoclosure () -> [LogField] = []
  ) {
    line(.error, text, id, fields)
  }

  /// Writes a line at level ``Level/warning``.
  ///
  /// - Parameters:
  ///   - id: what kind of line it is, for those that somebody may look for.
  ///   - fields: what the text says, for programs.
  package func warning(
    _ text: @autoclosure () -> String, _ id: MessageID? = nil,
    _ fields: @autoclosure () -> [LogField] = []
  ) {
    line(.warning, text, id, fields)
  }

  /// Writes a line at level ``Level/notice``.
  ///
  /// - Parameters:
  ///   - id: what kind of line it is, for those that somebody may look for.
  ///   - fields: what the text says, for programs.
  package func notice(
    _ text: @autoclosure () -> String, _ id: MessageID? = nil,
    _ fields: @autoclosure () -> [LogField] = []
  ) {
    line(.notice, text, id, fields)
  }

  /// Writes a line at level ``Level/info``.
  ///
  /// - Parameters:
  ///   - id: what kind of line it is, for those that somebody may look for.
  ///   - fields: what the text says, for programs.
  package func info(
    _ text: @autoclosure () -> String, _ id: MessageID? = nil,
    _ fields: @autoclosure () -> [LogField] = []
  ) {
    line(.info, text, id, fields)
  }

  /// Writes a line at level ``Level/debug``.
  ///
  /// - Parameters:
  ///   - id: what kind of line it is, for those that somebody may look for.
  ///   - fields: what the text says, for programs.
  package func debug(
    _ text: @autoclosure () -> String, _ id: MessageID? = nil,
    _ fields: @autoclosure () -> [LogField] = []
  ) {
    line(.debug, text, id, fields)
  }

  private func line(
    _ level: Level, _ text: () -> String, _ id: MessageID?, _ fields: () -> [LogField]
  ) {
    guard level <= threshold else { return }
    var suffix = ""
    if let id, id.isLimited {
      switch limit.verdict(id, at: now()) {
      case .written(leftOut: 0): break
      case .written(let count): suffix = " (\(count) such lines before it were left out)"
      case .last: suffix = " (more such lines are left out for up to a minute)"
      case .leftOut: return
      }
    }
    let text = text() + suffix
    switch format {
    case .entry(let program): write(entry(level, text, id, fields(), program))
    case .prefixed: write(Self.line("<\(level.rawValue)>", text))
    case .plain:
      let prefix =
        switch level {
        case .error: "error: "
        case .warning: "warning: "
        case .notice, .info, .debug: ""
        }
      write(Self.line(prefix, text))
    }
  }

  private static func line(_ prefix: String, _ text: String) -> [UInt8] {
    Array((prefix + text.escapingControls + "\n").utf8)
  }

  private func entry(
    _ level: Level, _ text: String, _ id: MessageID?, _ fields: [LogField], _ program: String
  ) -> [UInt8] {
    var all = [
      LogField("MESSAGE", text), LogField("PRIORITY", "\(level.rawValue)"),
      LogField("SYSLOG_IDENTIFIER", program),
    ]
    if let id { all.append(LogField("MESSAGE_ID", id.text)) }
    all += fields
    // No value has a line feed once it is escaped, so that the short form does.
    return Array(all.map { "\($0.name)=\($0.value.escapingControls)\n" }.joined().utf8)
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
