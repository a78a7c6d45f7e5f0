internal import DBus

/// A `GattService1` object of a remote device.
struct RemoteService {
  let attribute: ServiceAttribute
  let path: ObjectPath
}
