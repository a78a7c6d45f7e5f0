/// Why a device does not do what a request asks for.
package struct RequestFailure: Error, Hashable, Sendable {
  package var reason: Reason
  /// What happened, for a person: text from outside where it came over the air.
  package var explanation: String
  /// What to try next, for a person.
  package var advice: String?

  package init(reason: Reason, explanation: String, advice: String? = nil) {
    self.reason = reason
    self.explanation = explanation
    self.advice = advice
  }

  /// Takes the reason's own words.
  package init(_ reason: Reason) {
    self.init(reason: reason, explanation: reason.explanation, advice: reason.advice)
  }

  /// What a request is answered whose parameters cannot be used.
  init(_ error: MessageError) {
    switch error {
    case .malformed, .notAMap, .missing, .invalid: self.init(.malformedMessage)
    case .unsupported: self.init(.unsupported)
    }
  }
}
