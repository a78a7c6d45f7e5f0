extension QRCode {
  /// The characters that a terminal can show.
  package enum Characters: Sendable {
    /// Half blocks, two modules in each.
    case unicode
    /// `##` for a dark module.
    case ascii
  }

  /// Lines for a terminal, each with its end, the margin included.
  ///
  /// - Parameter coloured: whether to say that it is black on white, whatever the terminal's
  ///   colours are: scanners do not all read the inverse.
  package func text(_ characters: Characters, coloured: Bool) -> String {
    let range = -Self.margin..<size + Self.margin
    var text = ""
    for row in stride(from: range.lowerBound, to: range.upperBound, by: characters.rowsInLine) {
      if coloured { text += "\u{1b}[30;47m" }
      for column in range {
        switch characters {
        case .unicode:
          switch (isDark(column: column, row: row), isDark(column: column, row: row + 1)) {
          case (false, false): text += " "
          case (true, false): text += "▀"
          case (false, true): text += "▄"
          case (true, true): text += "█"
          }
        case .ascii: text += isDark(column: column, row: row) ? "##" : "  "
        }
      }
      text += coloured ? "\u{1b}[0m\n" : "\n"
    }
    return text
  }
}

extension QRCode.Characters {
  fileprivate var rowsInLine: Int {
    switch self {
    case .unicode: 2
    case .ascii: 1
    }
  }
}
