/// What is told of an attempt to join a network before its end.
package enum AttemptProgress: Hashable, Sendable {
  /// It has come so far, perhaps for a second time with other settings.
  case reached(AttemptStep)
  /// It has failed, and the device goes back to the network that it was in before.
  case failing(Reason, AttemptEvidence)
}
