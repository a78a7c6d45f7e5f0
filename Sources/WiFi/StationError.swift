/// What went wrong in ``Station`` outside a join.
package struct StationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason, in the words of a failed join.
  package let reason: JoinFailure.Reason
  /// For the log, in English.
  package let message: String

  package init(_ reason: JoinFailure.Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  package var description: String { message }
}
