internal import CBOR

/// The result of `provision`.
struct ProvisionAnswer: Hashable, Sendable {
  /// The number of the attempt that has begun.
  var attempt: UInt8
  /// What to know of the settings; words of later minor versions are left out.
  var risks: [Risk]

  init(attempt: UInt8, risks: [Risk]) {
    self.attempt = attempt
    self.risks = risks
  }

  init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    self.init(
      attempt: try fields.requiredNumber(0), risks: try fields.texts(1).compactMap(Risk.init))
  }

  var map: CBORValue {
    CBORValue(fields: [
      0: .unsigned(UInt64(attempt)),
      1: risks.isEmpty ? nil : .array(risks.map { .text($0.rawValue) }),
    ])
  }
}
