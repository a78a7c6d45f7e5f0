/// Splits a line at its blanks; a word with blanks stands between quotation marks of either kind.
///
/// - Returns: nil where a quotation mark is not closed.
package func words(of line: String) -> [String]? {
  var words: [String] = []
  var word: String?
  var quote: Character?
  for character in line {
    switch (quote, character) {
    case (character?, _): quote = nil
    case (nil, "'"), (nil, "\""):
      quote = character
      word = word ?? ""
    case (nil, " "), (nil, "\t"):
      if let ended = word { words.append(ended) }
      word = nil
    default: word = (word ?? "") + String(character)
    }
  }
  if let word { words.append(word) }
  return quote == nil ? words : nil
}
