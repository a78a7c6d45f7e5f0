package import CBOR
package import Secrets

/// What a device says in a sealed record.
package enum DeviceMessage: Equatable, Sendable {
  /// The answer to the request of this id; what a result holds depends on the method.
  case response(id: UInt32, Result<CBORValue, RequestFailure>)
  /// The status has changed.
  case status(DeviceStatus)
  /// An event of a later minor version.
  case otherEvent(String)

  private static let statusEvent = "status"

  /// Reads the content of a record.
  package init(decoding content: SecretBytes) throws(MessageError) {
    let fields = try MessageFields(decoding: content)
    if let event = try fields.text(5) {
      self =
        event == Self.statusEvent
        ? .status(try DeviceStatus(try fields.required(2))) : .otherEvent(event)
      return
    }
    let id: UInt32 = try fields.requiredNumber(0)
    if let failure = fields[4] {
      self = .response(id: id, .failure(try RequestFailure(failure)))
    } else {
      self = .response(id: id, .success(try fields.required(3)))
    }
  }

  /// The content of the record.
  package var encoded: SecretBytes {
    let value =
      switch self {
      case .response(let id, .success(let result)):
        CBORValue(fields: [0: .unsigned(UInt64(id)), 3: result])
      case .response(let id, .failure(let failure)):
        CBORValue(fields: [0: .unsigned(UInt64(id)), 4: failure.value])
      case .status(let status): CBORValue(fields: [2: status.map, 5: .text(Self.statusEvent)])
      case .otherEvent(let name): CBORValue(fields: [5: .text(name)])
      }
    return value.encodedSecret
  }
}
