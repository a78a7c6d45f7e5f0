internal import DBus

/// The simulated Ethernet device.
struct SimulatedWiredDevice {
  let path: ObjectPath
  let active: ObjectPath
}
