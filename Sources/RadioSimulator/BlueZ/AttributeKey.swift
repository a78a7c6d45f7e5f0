/// An attribute of a remote device: a characteristic by its declaration, or a descriptor.
struct AttributeKey: Hashable {
  let device: DeviceKey
  let handle: UInt16
}
