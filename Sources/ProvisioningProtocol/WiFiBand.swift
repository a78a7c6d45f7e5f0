/// The bands of Wi-Fi, by their gigahertz.
package enum WiFiBand: UInt8, CaseIterable, Comparable, Sendable {
  case two = 2
  case five = 5
  case six = 6

  /// The band of a channel in MHz; nil for what is none of these.
  package init?(frequency: UInt32) {
    switch frequency {
    case 2400..<2500: self = .two
    case 4900..<5925: self = .five
    case 5925..<7125: self = .six
    default: return nil
    }
  }

  package static func < (left: WiFiBand, right: WiFiBand) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Such as `2.4 GHz`.
  package var words: String { self == .two ? "2.4 GHz" : "\(rawValue) GHz" }
}
