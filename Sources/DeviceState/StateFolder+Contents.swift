internal import Secrets

extension StateFolder {
  private static let codeFile = "setup-code"
  private static let guessesFile = "wrong-guesses"
  private static let windowFile = "window"

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

  /// How long the device is to stay open; nil when that was never kept.
  package func window() throws(StateError) -> StoredWindow? {
    guard let bytes = try read(Self.windowFile) else { return nil }
    do throws(StateError.Problem) {
      return try StoredWindow(decoding: bytes)
    } catch {
      throw self.error(error, in: Self.windowFile)
    }
  }

  /// Keeps how long the device is to stay open.
  package func save(_ window: StoredWindow) throws(StateError) {
    try write(window.encoded, to: Self.windowFile)
  }
}
