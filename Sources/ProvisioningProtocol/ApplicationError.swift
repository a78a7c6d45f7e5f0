/// The ATT errors of this protocol, in the range that is left to applications.
///
/// A device whose BlueZ is older than 5.66 answers `busy` for each of them, so the status value
/// repeats the true one.
package enum ApplicationError: UInt8, CaseIterable, Error, Sendable {
  case busy = 0x80
  case ssidLength = 0x81
  case passwordFormat = 0x82
  case setupCodeRequired = 0x83
  case lockedOut = 0x84
  case notNow = 0x85
  case unsupported = 0x86

  /// The same as the status value says it.
  package var reason: Reason {
    switch self {
    case .busy: .busy
    case .ssidLength: .ssidLength
    case .passwordFormat: .passwordFormat
    case .setupCodeRequired: .setupCodeRequired
    case .lockedOut: .lockedOut
    case .notNow: .notNow
    case .unsupported: .unsupported
    }
  }

  /// The error that the status value repeats with `reason`; nil where `reason` is of another kind.
  package init?(reason: Reason) {
    guard let error = Self.allCases.first(where: { $0.reason == reason }) else { return nil }
    self = error
  }
}
