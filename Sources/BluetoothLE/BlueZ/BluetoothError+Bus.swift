internal import DBus

extension BluetoothError.Cause {
  init(_ error: BusError) { self.init(name: error.name, message: error.message) }
}

extension BluetoothError {
  /// The error of opening the system bus.
  init(bus error: BusError) {
    self.init(
      .noBus, "there is no system bus: is dbus-daemon running?", cause: Cause(error))
  }
}
