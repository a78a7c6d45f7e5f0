internal import BluetoothLE
internal import Provisioner

extension CentralError {
  /// What an error of BlueZ's means to the provisioner.
  ///
  /// - Parameter adapter: the adapter that was asked for.
  init(_ error: BluetoothError, adapter: AdapterSelection) {
    let code: Code =
      switch error.code {
      case .noBus: .adapter(.noBus(error.cause?.message ?? error.message))
      case .serviceNotRunning: .adapter(.noService)
      case .noAdapter: .adapter(.noAdapter(name: adapter == .any ? nil : adapter.description))
      case .unsupported: .adapter(.unsupported)
      case .unauthorized: .adapter(.notPermitted)
      case .poweredOff: .adapter(.poweredOff)
      case .blocked: .adapter(.blocked)
      case .unknownPeripheral: .unknownPeer
      case .connectionFailed: .transient
      case .notConnected: .linkLost
      case .attribute(let error): .attribute(error.rawValue)
      case .pairingRequired: .pairingRequired
      case .timedOut: .timedOut
      case .pairingFailed: .pairingFailed
      case .passkeyRequired: .passkeyRequired
      case .connectionRefused, .attributeNotFound, .busy, .invalidArguments,
        .advertisementTooLong, .advertisingRefused, .publishingRefused, .valueTooLong, .cancelled,
        .failed:
        .failed
      }
    self.init(code, error.description)
  }
}
