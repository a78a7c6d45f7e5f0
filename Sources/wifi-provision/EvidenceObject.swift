internal import ProvisioningProtocol

/// What a failure was concluded from, as an object of `--json`.
struct EvidenceObject: Encodable, Sendable {
  private let evidence: AttemptEvidence

  init(_ evidence: AttemptEvidence) { self.evidence = evidence }

  private enum Key: String, CodingKey {
    case summary, advice, security, rssi, frequency, states, supplicant
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(evidence.summary, forKey: .summary)
    try object.encode(evidence.advice, forKey: .advice)
    try object.encode(evidence.security?.rawValue, forKey: .security)
    try object.encode(evidence.rssi, forKey: .rssi)
    try object.encode(evidence.frequency, forKey: .frequency)
    try object.encode(evidence.states.map { [$0.state, $0.reason] }, forKey: .states)
    try object.encode(evidence.supplicant, forKey: .supplicant)
  }
}
