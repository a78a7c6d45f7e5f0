/// An option of a command line, and the key under which ``Invocation`` holds its value.
///
/// An option that is given twice has the value that was given last.
package struct Option<Value: Sendable>: OptionDeclaration {
  package let name: String
  package let short: Character?
  package let placeholder: String?
  package let summary: String

  /// What a value has to be, for the error message; nil where every value will do.
  private let expected: String?
  private let convert: @Sendable ([UInt8]) -> Value?

  /// Declares an option that takes a value.
  ///
  /// - Parameters:
  ///   - name: the long name, without its dashes.
  ///   - short: one ASCII letter, or nil for a long name only.
  ///   - placeholder: what stands for the value in the help, in capitals.
  ///   - summary: a line for the help.
  ///   - expected: completes the sentence "…: expected".
  ///   - convert: makes the value from the argument's bytes; nil refuses them.
  package init(
    _ name: String, short: Character? = nil, placeholder: String, summary: String,
    expected: String, convert: @escaping @Sendable ([UInt8]) -> Value?
  ) {
    self.init(
      name: name, short: short, placeholder: placeholder, summary: summary, expected: expected,
      convert: convert)
  }

  private init(
    name: String, short: Character?, placeholder: String?, summary: String, expected: String?,
    convert: @escaping @Sendable ([UInt8]) -> Value?
  ) {
    self.name = name
    self.short = short
    self.placeholder = placeholder
    self.summary = summary
    self.expected = expected
    self.convert = convert
  }

  package func value(of bytes: [UInt8]) throws(UsageError) -> any Sendable {
    if let value = convert(bytes) { return value }
    let given = String(decoding: bytes, as: UTF8.self)
    throw UsageError("invalid value ‘\(given)’ for --\(name): expected \(expected ?? "another")")
  }
}

extension Option where Value == Bool {
  /// Declares an option without a value: true when it is given.
  package static func flag(
    _ name: String, short: Character? = nil, summary: String
  ) -> Option<Bool> {
    Option(
      name: name, short: short, placeholder: nil, summary: summary, expected: nil,
      convert: { _ in true })
  }
}

extension Option where Value == String {
  /// Declares an option whose value is UTF-8 text.
  package static func text(
    _ name: String, short: Character? = nil, placeholder: String, summary: String
  ) -> Option<String> {
    Option(
      name, short: short, placeholder: placeholder, summary: summary, expected: "UTF-8 text",
      convert: { String(validating: $0, as: UTF8.self) })
  }
}

extension Option where Value == [UInt8] {
  /// Declares an option whose value is taken byte by byte, as the shell passed it.
  package static func bytes(
    _ name: String, short: Character? = nil, placeholder: String, summary: String
  ) -> Option<[UInt8]> {
    Option(
      name: name, short: short, placeholder: placeholder, summary: summary, expected: nil,
      convert: { $0 })
  }
}

extension Option where Value == Int {
  /// Declares an option whose value is a decimal number.
  package static func integer(
    _ name: String, short: Character? = nil, placeholder: String, summary: String,
    in range: ClosedRange<Int>
  ) -> Option<Int> {
    Option(
      name, short: short, placeholder: placeholder, summary: summary,
      expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
      convert: { bytes in
        guard let number = Int(String(decoding: bytes, as: UTF8.self)), range.contains(number)
        else { return nil }
        return number
      })
  }
}
