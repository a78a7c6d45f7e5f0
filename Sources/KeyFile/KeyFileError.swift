/// What is wrong with a key file, and where.
package struct KeyFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Problem: Equatable, Sendable {
    /// There is no such file.
    case missingFile
    /// The file cannot be read; the system's words.
    case unreadable(String)
    /// The line is no group, no key and no comment; GLib's words.
    case syntax(String)
    /// The key stands in this group of this file for the second time.
    case repeatedKey(firstLine: Int)
    /// Nobody reads this group.
    case unknownGroup
    /// Nobody reads this key in this group.
    case unknownKey
    /// The group has to have this key.
    case missingKey
    /// The value is of another kind or out of range; what it has to be.
    case invalidValue(expected: String)
  }

  /// The file's path as it was given.
  package let file: String
  /// The line, counted from 1; nil when the problem is not in one line.
  package let line: Int?
  /// The group's name without its brackets, where the problem is in one.
  package let group: String?
  /// The key, where the problem is with one.
  package let key: String?
  /// What is wrong.
  package let problem: Problem

  /// Makes an error that a reader of the file found itself.
  package init(file: String, line: Int?, group: String?, key: String?, problem: Problem) {
    self.file = file
    self.line = line
    self.group = group
    self.key = key
    self.problem = problem
  }

  /// `FILE:LINE: [group] key: what is wrong`, without the value: it may be a secret.
  package var description: String {
    var text = file
    if let line { text += ":\(line)" }
    text += ":"
    if let group { text += " [\(group)]" }
    if let key { text += " \(key)" }
    if group != nil || key != nil { text += ":" }
    return text + " " + problem.words
  }
}

extension KeyFileError.Problem {
  fileprivate var words: String {
    switch self {
    case .missingFile: "no such file"
    case .unreadable(let message): message
    case .syntax(let message): message
    case .repeatedKey(let line): "already set in line \(line)"
    case .unknownGroup: "unknown group"
    case .unknownKey: "unknown key"
    case .missingKey: "missing"
    case .invalidValue(let expected): "expected \(expected)"
    }
  }
}
