/// An access point in reach of the board.
package struct SimulatedAccessPoint: Sendable, Equatable {
  /// How an access point protects its network.
  package enum Security: String, Sendable, CaseIterable {
    case open
    case owe
    case wpa2
    case wpa2AndWPA3 = "wpa2-wpa3"
    case wpa3
  }

  /// Where its packets end up.
  package enum Internet: String, Sendable, CaseIterable {
    case full
    case portal
    case none
  }

  /// The word after `access-point` in the file.
  package var name: String
  /// The network's name: 1 to 32 bytes of any value.
  package var ssid: [UInt8]
  package var security: Security
  /// What a station has to know; nil where there is nothing to know.
  package var password: String?
  /// Whether the beacon leaves the network's name out.
  package var isHidden: Bool
  /// Whether an association is refused, as a full access point does.
  package var refusesStations: Bool
  /// Whether addresses are given out.
  package var hasDHCP: Bool
  package var internet: Internet
  /// The channel's frequency in MHz.
  package var frequency: UInt32
  /// The signal's strength at the board, 0 to 100.
  package var strength: UInt8

  /// Describes an access point; by default an open one where all is well.
  package init(
    name: String, ssid: [UInt8], security: Security = .open, password: String? = nil,
    isHidden: Bool = false, refusesStations: Bool = false, hasDHCP: Bool = true,
    internet: Internet = .full, frequency: UInt32 = 2437, strength: UInt8 = 70
  ) {
    self.name = name
    self.ssid = ssid
    self.security = security
    self.password = password
    self.isHidden = isHidden
    self.refusesStations = refusesStations
    self.hasDHCP = hasDHCP
    self.internet = internet
    self.frequency = frequency
    self.strength = strength
  }
}
