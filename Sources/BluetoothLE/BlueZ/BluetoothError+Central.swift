internal import DBus

extension BluetoothError {
  static func unknown(_ peripheral: BluetoothAddress, cause: Cause? = nil) -> BluetoothError {
    BluetoothError(
      .unknownPeripheral, "bluetoothd does not know \(peripheral) (any more): scan again",
      cause: cause)
  }

  static func notConnected(_ peripheral: BluetoothAddress, reason: String? = nil)
    -> BluetoothError
  {
    BluetoothError(
      .notConnected, "\(peripheral) is not connected" + (reason.map { ": \($0)" } ?? ""))
  }

  /// The error of `Device1.Connect`; the texts are those of BlueZ's `src/error.h`.
  init(connecting error: BusError, to peripheral: BluetoothAddress) {
    let cause = Cause(error)
    switch error.name {
    case BusError.Name.unknownObject, BusError.Name.unknownMethod, BusError.Name.unknownInterface,
      BlueZ.ErrorName.doesNotExist:
      self = .unknown(peripheral, cause: cause)
    case BusError.Name.noReply, BusError.Name.timeout:
      self.init(.timedOut, "\(peripheral) did not answer in time", cause: cause)
    case BlueZ.ErrorName.inProgress:
      self.init(
        .connectionFailed, "an earlier attempt to connect to \(peripheral) was still running",
        cause: cause)
    case BlueZ.ErrorName.failed where Self.isRefusal(error.message):
      self.init(
        .connectionRefused, "the adapter takes no more connections", cause: cause)
    case BlueZ.ErrorName.failed, BlueZ.ErrorName.notConnected, BlueZ.ErrorName.busy:
      self.init(.connectionFailed, "no connection to \(peripheral)", cause: cause)
    default:
      let general = BluetoothError(service: error)
      self =
        general.code == .failed
        ? .init(.connectionRefused, "no connection to \(peripheral)", cause: cause) : general
    }
  }

  private static func isRefusal(_ message: String) -> Bool {
    ["le-connection-refused", "le-connection-concurrent-connection-limit"].contains(message)
  }

  /// The error of `Device1.Pair`.
  init(pairing error: BusError, with peripheral: BluetoothAddress) {
    let cause = Cause(error)
    switch error.name {
    case BlueZ.ErrorName.authenticationFailed, BlueZ.ErrorName.authenticationRejected:
      self.init(
        .pairingFailed,
        "\(peripheral) and this machine did not agree while pairing: the passkey is wrong, one of "
          + "them refused, or has kept a bond that the other one has forgotten", cause: cause)
    case BlueZ.ErrorName.authenticationCanceled, BlueZ.ErrorName.connectionAttemptFailed,
      BlueZ.ErrorName.notConnected:
      self.init(.notConnected, "the link to \(peripheral) broke while pairing", cause: cause)
    case BlueZ.ErrorName.authenticationTimeout, BusError.Name.noReply, BusError.Name.timeout:
      self.init(.timedOut, "\(peripheral) was not paired in time", cause: cause)
    case BlueZ.ErrorName.inProgress:
      self.init(.busy, "another pairing with \(peripheral) is under way", cause: cause)
    case BusError.Name.unknownObject, BusError.Name.unknownMethod, BusError.Name.unknownInterface,
      BlueZ.ErrorName.doesNotExist:
      self = .unknown(peripheral, cause: cause)
    default: self.init(service: error)
    }
  }

  /// The error of using a peripheral's attribute.
  init(attribute error: BusError, of peripheral: BluetoothAddress) {
    let cause = Cause(error)
    switch (error.name, error.message) {
    case (BlueZ.ErrorName.notPermitted, "Not paired"):
      self.init(.pairingRequired, "\(peripheral) wants to be paired first", cause: cause)
    case (BlueZ.ErrorName.notPermitted, let message):
      // BlueZ's texts are "Read not permitted" and "Write not permitted".
      let code: ATTError = message.hasPrefix("Read") ? .readNotPermitted : .writeNotPermitted
      self.init(refusal: code, peripheral, cause)
    case (BlueZ.ErrorName.notAuthorized, _):
      self.init(refusal: .insufficientAuthorization, peripheral, cause)
    case (BlueZ.ErrorName.notSupported, _):
      self.init(refusal: .requestNotSupported, peripheral, cause)
    case (BlueZ.ErrorName.invalidArguments, "Invalid offset"):
      self.init(refusal: .invalidOffset, peripheral, cause)
    case (BlueZ.ErrorName.invalidArguments, "Invalid Length"),
      (BlueZ.ErrorName.invalidValueLength, _):
      self.init(refusal: .invalidAttributeValueLength, peripheral, cause)
    case (BlueZ.ErrorName.failed, "Not connected"), (BlueZ.ErrorName.notConnected, _):
      self.init(.notConnected, "\(peripheral) is not connected", cause: cause)
    case (BlueZ.ErrorName.inProgress, _):
      self.init(.busy, "another operation on this characteristic is under way", cause: cause)
    case (BusError.Name.unknownObject, _), (BusError.Name.unknownMethod, _),
      (BusError.Name.unknownInterface, _):
      self.init(
        .attributeNotFound, "the characteristic is not there any more: connect again",
        cause: cause)
    case (BlueZ.ErrorName.failed, let message):
      guard let code = ATTError(message: message) else { fallthrough }
      self.init(refusal: code, peripheral, cause)
    default: self.init(service: error)
    }
  }

  private init(refusal code: ATTError, _ peripheral: BluetoothAddress, _ cause: Cause) {
    self.init(.attribute(code), "\(peripheral) answered with \(code)", cause: cause)
  }
}
