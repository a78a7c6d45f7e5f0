/// A descriptor in an adapter's attribute table.
struct DescriptorAttribute {
  let uuid: UUIDText
  let readNeed: LinkNeed?
  let writeNeed: LinkNeed?
  /// Nil for one of BlueZ's own.
  let owner: AttributeOwner?
  var handle: UInt16 = 0
}
