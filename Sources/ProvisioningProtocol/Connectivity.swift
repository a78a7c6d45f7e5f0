/// How much of the internet the device reaches: a warning beside `connected`, never a failure.
///
/// Later minor versions may add values; an unknown one is kept.
package struct Connectivity: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Not checked, or not yet.
  package static let unknown = Self(rawValue: 0)
  /// Nothing is reached.
  package static let none = Self(rawValue: 1)
  /// A page wants a log-in or a consent first.
  package static let portal = Self(rawValue: 2)
  /// The network is there, the internet is not.
  package static let limited = Self(rawValue: 3)
  /// The internet is reached.
  package static let full = Self(rawValue: 4)

  /// The word for it in JSON, in kebab-case.
  package var name: String {
    switch self {
    case .unknown: "unknown"
    case .none: "none"
    case .portal: "portal"
    case .limited: "limited"
    case .full: "full"
    default: "unknown-\(hexadecimal([rawValue]))"
    }
  }
}
