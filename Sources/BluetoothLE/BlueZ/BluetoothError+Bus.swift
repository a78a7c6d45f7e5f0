internal import DBus

extension BluetoothError.Cause {
  init(_ error: BusError) { self.init(name: error.name, message: error.message) }
}

extension BluetoothError {
  /// The error of opening the system bus, or of losing it.
  init(bus error: BusError) {
    self.init(
      .noBus, "there is no system bus: is dbus-daemon running?", cause: Cause(error))
  }

  static func serviceNotRunning(cause: Cause? = nil) -> BluetoothError {
    BluetoothError(
      .serviceNotRunning, "bluetoothd is not running: is bluez installed and its service started?",
      cause: cause)
  }

  static func noAdapter(_ selection: AdapterSelection) -> BluetoothError {
    let message =
      switch selection {
      case .any: "there is no Bluetooth adapter: is it plugged in, and its driver loaded?"
      default: "there is no Bluetooth adapter \(selection)"
      }
    return BluetoothError(.noAdapter, message)
  }

  static func cannotTake(_ role: Adapter.Role, _ adapter: Adapter) -> BluetoothError {
    let missing = role.interfaces.subtracting(adapter.interfaces).sorted()
    let reason =
      missing.isEmpty
      ? "its roles are \((adapter.properties["Roles"]?.asStrings ?? []).joined(separator: ", "))"
      : "it has no \(missing.joined(separator: " and ")): is it limited to BR/EDR by its "
        + "hardware or by ControllerMode?"
    return BluetoothError(
      .unsupported, "\(adapter.name) cannot be a Bluetooth LE \(role.rawValue): \(reason)")
  }

  static func poweredOff(_ adapter: Adapter) -> BluetoothError {
    BluetoothError(.poweredOff, "\(adapter.name) is switched off")
  }

  static let cancelled = BluetoothError(.cancelled, "cancelled")

  /// The error of switching an adapter on.
  init(power error: BusError, of adapter: String) {
    let cause = Cause(error)
    switch error.name {
    case BlueZ.ErrorName.blocked:
      self.init(
        .blocked, "\(adapter) is blocked: see \"rfkill list\" and the machine's radio switch",
        cause: cause)
    case BusError.Name.accessDenied:
      self.init(service: error)
    default: self.init(.poweredOff, "\(adapter) could not be switched on", cause: cause)
    }
  }

  /// The error of registering an object with one of BlueZ's managers.
  init(registering error: BusError, _ code: Code, _ message: String) {
    let general = BluetoothError(service: error)
    self = general.code == .failed ? .init(code, message, cause: Cause(error)) : general
  }

  /// An error that says something of bluetoothd as a whole; `failed` for the others.
  init(service error: BusError) {
    let cause = Cause(error)
    switch error.name {
    case BusError.Name.cancelled: self = .cancelled
    case BusError.Name.disconnected: self.init(bus: error)
    case BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner:
      self = .serviceNotRunning(cause: cause)
    case BusError.Name.accessDenied:
      self.init(
        .unauthorized,
        "the bus does not let this user talk to bluetoothd: is it in the group bluetooth?",
        cause: cause)
    case BusError.Name.noReply, BusError.Name.timeout:
      self.init(.timedOut, "bluetoothd did not answer", cause: cause)
    case BlueZ.ErrorName.notReady:
      self.init(.poweredOff, "the adapter is switched off", cause: cause)
    default: self.init(.failed, "bluetoothd refused", cause: cause)
    }
  }
}
