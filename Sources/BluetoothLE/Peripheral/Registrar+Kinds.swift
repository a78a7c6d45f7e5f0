internal import DBus

extension Registrar.Kind {
  static let application = Registrar.Kind(
    interface: BlueZ.Interface.gattManager, register: "RegisterApplication",
    unregister: "UnregisterApplication", argument: .properties([:]), overlaps: false
  ) { error in
    .init(
      registering: error, .publishingRefused,
      "bluetoothd did not take the services: its log says why")
  }

  static let advertisement = Registrar.Kind(
    interface: BlueZ.Interface.advertisingManager, register: "RegisterAdvertisement",
    unregister: "UnregisterAdvertisement", argument: .properties([:]), overlaps: true
  ) { error in
    .init(
      registering: error, .advertisingRefused,
      "bluetoothd or the adapter refused to advertise: see its log; other programs may advertise, "
        + "and BlueZ before 5.87 cannot on some kernels of summer 2026")
  }

  /// - Parameter capability: what the machine can show and ask for, as bluetoothd calls it.
  static func agent(_ capability: String) -> Registrar.Kind {
    Registrar.Kind(
      interface: BlueZ.Interface.agentManager, register: "RegisterAgent",
      unregister: "UnregisterAgent", argument: .string(capability), confirm: "RequestDefaultAgent",
      overlaps: false
    ) { error in
      .init(registering: error, .failed, "nobody can pair: bluetoothd did not take the agent")
    }
  }
}
