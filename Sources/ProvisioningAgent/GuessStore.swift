/// Where the agent keeps how often the setup code was guessed wrong.
package protocol GuessStore: Sendable {
  /// Stores the count so that it outlives a crash and a loss of power; called on the agent's
  /// executor, and done before it returns.
  func store(wrongGuesses: UInt32) throws
}
