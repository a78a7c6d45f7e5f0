internal import Secrets

extension StateFolder {
  private static let codeFile = "setup-code"
  private static let guessesFile = "wrong-guesses"

  /// The setup code; nil when there is none yet.
  package func storedCode() throws(StateError) -> StoredCode? {
    guard let bytes = try read(Self.codeFile) else { return nil }
    do throws(StateError.Problem) {
      return try StoredCode(decoding: bytes)
    } catch {
      throw self.error(error, in: Self.codeFile)
    }
  }

  /// Keeps a setup code in the place of the one before; the counter of wrong guesses stays.
  package func save(_ code: StoredCode) throws(StateError) {
    try write(code.encoded, to: Self.codeFile)
  }

  /// The wrong guesses since the last right one; none when there was never one.
  package func wrongGuesses() throws(StateError) -> UInt32 {
    guard let bytes = try read(Self.guessesFile) else { return 0 }
    guard bytes.last == UInt8(ascii: "\n"),
      bytes.dropLast().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = UInt32(String(decoding: bytes.dropLast(), as: UTF8.self))
    else { throw error(.corrupt, in: Self.guessesFile) }
    return number
  }

  /// Keeps the number of wrong guesses; when this returns it is on the storage, so that the proof
  /// that was guessed for may go out.
  package func save(wrongGuesses: UInt32) throws(StateError) {
    try write(SecretBytes("\(wrongGuesses)\n".utf8), to: Self.guessesFile)
  }
}
