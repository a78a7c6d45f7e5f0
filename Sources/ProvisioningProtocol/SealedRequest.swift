internal import CBOR
package import Secrets

/// A provisioner's request, the content of a sealed record.
package struct SealedRequest: Equatable, Sendable {
  /// Comes back in the response.
  package let id: UInt32
  private let name: String
  private let parameters: CBORValue?

  package init(id: UInt32, _ method: RequestMethod) {
    self.id = id
    name = method.name.rawValue
    parameters = method.parameters
  }

  /// Reads the content of a record; whether the method is known and its parameters can be used,
  /// `method()` tells.
  package init(decoding content: SecretBytes) throws(MessageError) {
    let fields = try MessageFields(decoding: content)
    id = try fields.requiredNumber(0)
    name = try fields.requiredText(1)
    parameters = fields[2]
  }

  /// What is asked for, or the failure to answer with.
  package func method() throws(RequestFailure) -> RequestMethod {
    try RequestMethod(name: name, parameters: parameters)
  }

  /// The content of the record.
  package var encoded: SecretBytes {
    CBORValue(fields: [0: .unsigned(UInt64(id)), 1: .text(name), 2: parameters]).encodedSecret
  }
}

extension SealedRequest: CustomStringConvertible {
  /// Without the parameters, which may hold a password.
  package var description: String { "request \(id)" }
}
