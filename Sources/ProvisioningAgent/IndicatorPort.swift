/// What the agent makes the device noticed with, such as a light.
package protocol IndicatorPort: Sendable {
  /// Begins to attract a person's attention; called on the agent's executor, and done before it
  /// returns, like what it returns.
  ///
  /// - Returns: what ends it and puts everything back as it was; to be called once.
  func begin() throws -> @Sendable () throws -> Void
}
