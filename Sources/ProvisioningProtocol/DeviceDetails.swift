package import CBOR

/// The result of `info`: what a device tells beyond the device information, which the handshake
/// has already vouched for.
package struct DeviceDetails: Hashable, Sendable {
  /// The methods that it answers; words of later minor versions are left out.
  package var methods: [RequestMethod.Name]
  /// What keeps its Wi-Fi from being used; nil for nothing.
  package var obstacle: Reason?

  package init(methods: [RequestMethod.Name], obstacle: Reason? = nil) {
    self.methods = methods
    self.obstacle = obstacle
  }

  /// Reads the result.
  package init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    methods = []
    for item in try fields.items(0) ?? [] {
      guard case .text(let word) = item else { throw .invalid(0) }
      if let name = RequestMethod.Name(rawValue: word) { methods.append(name) }
    }
    obstacle = try fields.number(1).map(Reason.init(rawValue:))
  }

  /// The map for the result.
  package var map: CBORValue {
    CBORValue(fields: [
      0: .array(methods.map { .text($0.rawValue) }),
      1: obstacle.map { .unsigned(UInt64($0.rawValue)) },
    ])
  }
}
