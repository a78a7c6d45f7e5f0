internal import CBOR

extension RequestFailure {
  /// The map for a response.
  var value: CBORValue {
    CBORValue(fields: [
      0: .unsigned(UInt64(reason.rawValue)), 1: .text(explanation), 2: advice.map { .text($0) },
    ])
  }

  init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    self.init(
      reason: Reason(rawValue: try fields.requiredNumber(0)),
      explanation: try fields.requiredText(1), advice: try fields.text(2))
  }
}
