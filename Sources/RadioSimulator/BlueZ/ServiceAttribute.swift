internal import DBus

/// A service in an adapter's attribute table.
struct ServiceAttribute {
  let uuid: UUIDText
  let isPrimary: Bool
  /// The services that it includes, by their paths in the application.
  let includes: [ObjectPath]
  /// Nil for one of BlueZ's own.
  let owner: AttributeOwner?
  var characteristics: [CharacteristicAttribute] = []
  var handle: UInt16 = 0
}

extension ServiceAttribute {
  /// Whether a client would discover the same, whoever is behind it.
  func looksLike(_ other: ServiceAttribute) -> Bool { outline == other.outline }

  private var outline: [String] {
    let inner = characteristics.flatMap { characteristic in
      ["\(characteristic.handle)", characteristic.uuid.text]
        + characteristic.flags.properties.sorted()
        + characteristic.descriptors.flatMap { ["\($0.handle)", $0.uuid.text] }
    }
    return ["\(handle)", uuid.text, isPrimary ? "primary" : "secondary"] + inner
  }
}
