/// A group of a key file, and the typed values of its keys.
///
/// The getters return nil for a key that is not there, and throw for a value of the wrong kind.
package struct Group: Equatable, Sendable {
  /// The name between the brackets.
  package let name: String
  /// The path of the file where the group begins, as it was given.
  package let file: String
  /// The line of its header, counted from 1.
  package let line: Int
  /// The keys in their order; a key appears once.
  package internal(set) var entries: [Entry]

  /// The entry of that key, if it is there.
  package subscript(key: String) -> Entry? { entries.first { $0.key == key } }

  /// The error that a reader throws for this group as a whole, or for a key that is not there.
  package func error(_ problem: KeyFileError.Problem, key: String? = nil) -> KeyFileError {
    KeyFileError(file: file, line: line, group: name, key: key, problem: problem)
  }

  /// The error that a reader throws for an entry of this group.
  package func error(_ problem: KeyFileError.Problem, at entry: Entry) -> KeyFileError {
    KeyFileError(
      file: entry.file, line: entry.line, group: name, key: entry.key, problem: problem)
  }

  /// The error for each key that is not among `known`.
  package func unknownKeys(known: Set<String>) -> [KeyFileError] {
    entries.filter { !known.contains($0.key) }.map { error(.unknownKey, at: $0) }
  }

  /// The value as UTF-8 text.
  package func text(_ key: String) throws(KeyFileError) -> String? {
    try value(key, expected: "UTF-8 text") { String(validating: $0, as: UTF8.self) }
  }

  /// The value as `yes` or `no`, `true` or `false`.
  package func boolean(_ key: String) throws(KeyFileError) -> Bool? {
    try choice(key, ["yes": true, "no": false, "true": true, "false": false])
  }

  /// The value as a decimal number.
  package func integer(_ key: String, in range: ClosedRange<Int>) throws(KeyFileError) -> Int? {
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return try value(key, expected: expected) {
      Int(String(decoding: $0, as: UTF8.self)).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// The value as one of the words.
  package func choice<Choice>(
    _ key: String, _ words: KeyValuePairs<String, Choice>
  ) throws(KeyFileError) -> Choice? {
    try value(key, expected: words.map(\.key).joined(separator: ", ")) { bytes in
      words.first { bytes.elementsEqual($0.key.utf8) }?.value
    }
  }

  /// The value as pairs of hexadecimal digits, with or without blanks between the pairs.
  package func hexadecimal(_ key: String) throws(KeyFileError) -> [UInt8]? {
    try value(key, expected: "pairs of hexadecimal digits") { text in
      var bytes: [UInt8] = []
      var high: UInt8?
      for character in text {
        if character == UInt8(ascii: " "), high == nil { continue }
        guard let digit = Character(UnicodeScalar(character)).hexDigitValue else { return nil }
        if let first = high {
          bytes.append(first << 4 | UInt8(truncatingIfNeeded: digit))
          high = nil
        } else {
          high = UInt8(truncatingIfNeeded: digit)
        }
      }
      return high == nil ? bytes : nil
    }
  }

  /// Any bytes: those of `key`, or those that `key-hex` gives in hexadecimal digits.
  ///
  /// - Throws: also when both are there.
  package func bytes(_ key: String) throws(KeyFileError) -> [UInt8]? {
    let other = key + "-hex"
    guard let plain = self[key] else { return try hexadecimal(other) }
    if self[other] != nil {
      throw error(.invalidValue(expected: "\(key) or \(other), not both"), at: plain)
    }
    return plain.value
  }

  /// The value that `convert` makes of the bytes.
  ///
  /// - Parameter expected: completes the sentence "expected …" where `convert` returns nil.
  package func value<Value>(
    _ key: String, expected: String, _ convert: ([UInt8]) -> Value?
  ) throws(KeyFileError) -> Value? {
    guard let entry = self[key] else { return nil }
    guard let value = convert(entry.value) else {
      throw error(.invalidValue(expected: expected), at: entry)
    }
    return value
  }

  mutating func merge(_ later: Group) {
    for entry in later.entries {
      if let index = entries.firstIndex(where: { $0.key == entry.key }) {
        entries[index] = entry
      } else {
        entries.append(entry)
      }
    }
  }
}
