/// A characteristic in an adapter's attribute table.
struct CharacteristicAttribute {
  let uuid: UUIDText
  let flags: CharacteristicFlags
  /// Nil for one of BlueZ's own.
  let owner: AttributeOwner?
  /// The declaration; the value's handle is the next one.
  var handle: UInt16 = 0
  /// Where notifications are switched; nil where there are none.
  var configurationHandle: UInt16?
  var descriptors: [DescriptorAttribute] = []
}
