internal import DBus

extension ATTError {
  /// The error that has bluetoothd answer a central with this code.
  ///
  /// Before 5.66 it turns every application code into 0x80. Codes that bluetoothd knows no name
  /// for reach the central as 0x0E: its answer to a name that it does not know.
  var busError: BusError {
    let name: String =
      switch self {
      case .requestNotSupported: BlueZ.ErrorName.notSupported
      case .insufficientAuthorization: BlueZ.ErrorName.notAuthorized
      case .invalidAttributeValueLength: BlueZ.ErrorName.invalidValueLength
      case .invalidOffset: BlueZ.ErrorName.invalidOffset
      case .readNotPermitted, .writeNotPermitted: BlueZ.ErrorName.notPermitted
      case .procedureAlreadyInProgress: BlueZ.ErrorName.inProgress
      case .improperlyConfigured: BlueZ.ErrorName.improperlyConfigured
      default: isApplicationError ? BlueZ.ErrorName.failed : BusError.Name.failed
      }
    // The whole text must be a number for bluetoothd to take it as the code.
    return BusError(name: name, message: "0x" + Hexadecimal.text(rawValue, digits: 2).lowercased())
  }

  /// The code in "Operation failed with ATT error: 0x80", as bluetoothd passes it to a central.
  init?(message: String) {
    let marker = "ATT error: 0x".utf8
    let bytes = message.utf8
    guard let mark = bytes.indices.first(where: { bytes[$0...].starts(with: marker) }),
      let code = Hexadecimal.number(bytes[mark...].dropFirst(marker.count).prefix(2))
    else { return nil }
    self.init(rawValue: UInt8(truncatingIfNeeded: code))
  }
}
