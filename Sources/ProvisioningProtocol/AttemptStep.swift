/// How far an attempt to join a network has come.
package enum AttemptStep: CaseIterable, Sendable {
  case preparing
  case associating
  case authenticating
  case obtainingAddress
  case checkingConnectivity

  /// The state that the status value shows for it.
  package var state: ProvisioningState {
    switch self {
    case .preparing: .preparing
    case .associating: .associating
    case .authenticating: .authenticating
    case .obtainingAddress: .obtainingAddress
    case .checkingConnectivity: .checkingConnectivity
    }
  }
}
