/// What is known about the Wi-Fi device at one moment.
package struct StationSnapshot: Sendable, Hashable {
  /// Whether a network can be joined, or what is in the way.
  package enum Availability: Sendable, Hashable {
    /// NetworkManager has no owner on the bus.
    case networkManagerNotRunning
    /// NetworkManager runs, and knows no such Wi-Fi device.
    case noDevice
    /// There is a device, which NetworkManager's configuration or another program keeps from it.
    case notManaged
    /// rfkill, or Wi-Fi or networking switched off.
    case radioBlocked
    /// Firmware or wpa_supplicant is missing, or still starting.
    case unavailable
    /// A network can be joined.
    case available
  }

  /// A network that the device is connected to.
  package struct Link: Sendable, Hashable {
    /// 1 to 32 bytes of any value; empty when NetworkManager does not know the access point.
    package var ssid: [UInt8]
    /// The first IPv4 address.
    package var address: IPv4Address?
    /// dBm, -100 to -40; nil when the access point is not known.
    package var signal: Int8?
    /// The device's own connectivity, whatever other devices reach.
    package var connectivity: Connectivity
    /// The access point's channel in MHz.
    package var frequency: UInt32?
    /// The IPv6 addresses but the link-local ones, as text.
    package var ipv6Addresses: [String] = []
    /// The way out, first IPv4's and then IPv6's, as text.
    package var gateways: [String] = []
    /// The name servers, first those that IPv4 told of, as text.
    package var nameservers: [String] = []
  }

  /// Whether a network can be joined now.
  package let availability: Availability
  /// The kernel's name of the device, such as `wlan0`.
  package let interface: String?
  /// The network in use; nil while there is none, or it is still being joined.
  package let link: Link?

  /// Whether the way out is another device's, such as Ethernet.
  package let hasOtherConnection: Bool
  /// Whether a profile of a Wi-Fi network is there that this user may see; nil where NetworkManager
  /// did not tell.
  package let hasSavedNetwork: Bool?

  package init(
    availability: Availability, interface: String? = nil, link: Link? = nil,
    hasOtherConnection: Bool = false, hasSavedNetwork: Bool? = nil
  ) {
    self.availability = availability
    self.interface = interface
    self.link = link
    self.hasOtherConnection = hasOtherConnection
    self.hasSavedNetwork = hasSavedNetwork
  }
}
