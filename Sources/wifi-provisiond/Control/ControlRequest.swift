internal import ProvisioningProtocol

/// What a program on the device may ask the daemon for.
enum ControlRequest: Equatable, Sendable {
  /// For so long unused; zero for ever, nil as is configured.
  case open(Duration?)
  case close
  case identify
  case forget(SSID)
  case setCode(SetupCode)

  /// What polkit calls it (packaging/org.wifiprovisioning.policy).
  var action: String {
    switch self {
    case .open: "org.wifiprovisioning.open"
    case .close: "org.wifiprovisioning.close"
    case .identify: "org.wifiprovisioning.identify"
    case .forget: "org.wifiprovisioning.forget"
    case .setCode: "org.wifiprovisioning.set-code"
    }
  }
}
