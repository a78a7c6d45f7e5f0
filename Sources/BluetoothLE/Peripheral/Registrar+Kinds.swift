internal import DBus

extension Registrar.Kind {
  static let application = Registrar.Kind(
    interface: BlueZ.Interface.gattManager, register: "RegisterApplication",
    unregister: "UnregisterApplication", overlaps: false
  ) { error in
    .init(
      registering: error, .publishingRefused,
      "bluetoothd did not take the services: its log says why")
  }

  static let advertisement = Registrar.Kind(
    interface: BlueZ.Interface.advertisingManager, register: "RegisterAdvertisement",
    unregister: "UnregisterAdvertisement", overlaps: true
  ) { error in
    .init(
      registering: error, .advertisingRefused,
      "bluetoothd or the adapter refused to advertise: see its log; other programs may advertise, "
        + "and BlueZ before 5.87 cannot on some kernels of summer 2026")
  }
}
