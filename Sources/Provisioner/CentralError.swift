/// What a ``CentralPort`` throws.
package struct CentralError: Error, Sendable, Equatable {
  /// What kind of failure it is, as far as the provisioner acts on it.
  package enum Code: Sendable, Equatable {
    /// The radio is gone, or was never there.
    case adapter(AdapterProblem)
    /// A connection that may well succeed when it is tried again.
    case transient
    /// The radio's service has dropped what it knew of the device; a new scan finds it again.
    case unknownPeer
    /// The link broke, or was never there.
    case linkLost
    /// The device answered with this ATT error code.
    case attribute(UInt8)
    /// The device wants an encrypted or paired link for this.
    case pairingRequired
    /// The two sides did not agree while they paired.
    case pairingFailed
    /// The device shows a passkey while it pairs, and nobody typed it.
    case passkeyRequired
    /// Nothing answered in time.
    case timedOut
    /// Anything else; ``CentralError/message`` is all there is to know.
    case failed
  }

  /// What kind of failure it is.
  package let code: Code
  /// The service's own words, for a person.
  package let message: String

  /// Makes an error; `message` is for a person and may be empty.
  package init(_ code: Code, _ message: String = "") {
    self.code = code
    self.message = message
  }
}
