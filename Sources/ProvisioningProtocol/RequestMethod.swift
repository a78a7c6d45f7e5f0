/// What a provisioner asks of a device in a sealed request.
package enum RequestMethod: Equatable, Sendable {
  /// What the device offers beyond the device information.
  case info
  /// A page of the networks that the device sees, from this index on; index 0 has it look anew.
  case scan(from: UInt32)
  /// Join a network; answered at once, progress comes in events.
  case provision(NetworkDescription)
  /// The status now.
  case status
  /// Stop the attempt.
  case cancel
  /// Make the device noticed.
  case identify
  /// A page of the Wi-Fi networks that the device keeps, from this index on; index 0 has it look
  /// anew.
  case list(from: UInt32)
  /// Remove what the device keeps of a Wi-Fi network.
  case forget(SSID)

  /// The words for the methods.
  package enum Name: String, CaseIterable, Sendable {
    case info
    case scan
    case provision
    case status
    case cancel
    case identify
    case list
    case forget
  }

  package var name: Name {
    switch self {
    case .info: .info
    case .scan: .scan
    case .provision: .provision
    case .status: .status
    case .cancel: .cancel
    case .identify: .identify
    case .list: .list
    case .forget: .forget
    }
  }
}
