/// An access point in reach of the board.
package struct SimulatedAccessPoint: Sendable, Equatable {
  /// How an access point protects its network.
  package enum Security: String, Sendable, CaseIterable {
    case open
    case owe
    /// An open network, and a hidden one beside it that those who know OWE take.
    case oweTransition = "owe-transition"
    case wep
    case wpa2
    case wpa2AndWPA3 = "wpa2-wpa3"
    case wpa3
    case wpa2Enterprise = "wpa2-enterprise"

    /// Whether there is one password for all stations.
    var hasPassword: Bool {
      switch self {
      case .open, .owe, .oweTransition, .wpa2Enterprise: false
      case .wep, .wpa2, .wpa2AndWPA3, .wpa3: true
      }
    }
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
  /// Whom an enterprise network lets in; nil for every other network.
  package var enterprise: EnterpriseNetwork?
  /// Whether the beacon leaves the network's name out.
  package var isHidden: Bool
  /// Whether stations speak with each other, without an access point.
  package var isAdHoc: Bool
  /// Whether an association is refused, as a full access point does.
  package var refusesStations: Bool
  /// Whether WPA3 fails for every station, as with some radios; WPA2 may work beside it.
  package var failsSAE: Bool
  /// Whether IPv4 addresses are given out.
  package var hasDHCP: Bool
  /// Whether a router gives IPv6 addresses.
  package var hasIPv6: Bool
  /// Whether somebody else has the station's IPv4 address; stations see it if they look.
  package var hasAddressConflict: Bool
  package var internet: Internet
  /// The channel's frequency in MHz.
  package var frequency: UInt32
  /// The signal's strength at the board, 0 to 100.
  package var strength: UInt8

  /// Describes an access point; by default an open one where all is well.
  package init(
    name: String, ssid: [UInt8], security: Security = .open, password: String? = nil,
    enterprise: EnterpriseNetwork? = nil, isHidden: Bool = false, isAdHoc: Bool = false,
    refusesStations: Bool = false, failsSAE: Bool = false, hasDHCP: Bool = true,
    hasIPv6: Bool = false, hasAddressConflict: Bool = false, internet: Internet = .full,
    frequency: UInt32 = 2437, strength: UInt8 = 70
  ) {
    self.name = name
    self.ssid = ssid
    self.security = security
    self.password = password
    self.enterprise = enterprise
    self.isHidden = isHidden
    self.isAdHoc = isAdHoc
    self.refusesStations = refusesStations
    self.failsSAE = failsSAE
    self.hasDHCP = hasDHCP
    self.hasIPv6 = hasIPv6
    self.hasAddressConflict = hasAddressConflict
    self.internet = internet
    self.frequency = frequency
    self.strength = strength
  }
}
