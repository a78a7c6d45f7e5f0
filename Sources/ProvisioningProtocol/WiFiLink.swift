/// What is known of the device's connection to a Wi-Fi network.
package struct WiFiLink: Hashable, Sendable {
  /// The device's address, once it has one.
  package var ipv4: IPv4Address?
  /// How strong the device hears the access point, in dBm.
  package var rssi: Int8?
  /// How much of the internet is reached.
  package var connectivity: Connectivity
  /// The network's name, where it is known.
  package var ssid: SSID?
  package var details: LinkDetails

  package init(
    ipv4: IPv4Address? = nil, rssi: Int8? = nil, connectivity: Connectivity = .unknown,
    ssid: SSID? = nil, details: LinkDetails = LinkDetails()
  ) {
    self.ipv4 = ipv4
    self.rssi = rssi
    self.connectivity = connectivity
    self.ssid = ssid
    self.details = details
  }
}
