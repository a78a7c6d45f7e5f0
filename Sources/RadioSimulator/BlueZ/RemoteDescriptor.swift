internal import DBus

/// A `GattDescriptor1` object of a remote device.
struct RemoteDescriptor {
  let attribute: DescriptorAttribute
  let characteristic: ObjectPath
  let path: ObjectPath
  var value: [UInt8]?
}
