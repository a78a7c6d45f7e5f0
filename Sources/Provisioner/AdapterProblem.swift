/// Why no Bluetooth radio can be used.
package enum AdapterProblem: Sendable, Equatable {
  /// There is no message bus to ask for Bluetooth; with the bus's own words.
  case noBus(String)
  /// The Bluetooth service does not run and could not be started.
  case noService
  /// There is no adapter, or none with the name that was asked for.
  case noAdapter(name: String?)
  /// The adapter is switched off.
  case poweredOff
  /// The adapter is switched off by rfkill, or by a switch on the machine.
  case blocked
  /// The adapter cannot speak Bluetooth Low Energy as a central.
  case unsupported
  /// The Bluetooth service does not let this user in.
  case notPermitted
}
