package import ProvisioningProtocol

/// A device to be provisioned, as its last advertisement showed it.
package struct DeviceSighting: Sendable, Equatable {
  /// Where to connect to.
  package let address: PeerAddress
  /// The name it advertises, if one was heard: text from outside, which may hold anything.
  package let name: String?
  /// Signal strength in dBm, if known.
  package let rssi: Int?
  /// Its identity, state and demands.
  package let advertisement: ProvisioningAdvertisement

  /// Recognizes a device by its service data; nil for somebody else's use of `FF00`.
  package init?(_ heard: Advertisement) {
    guard let advertisement = try? ProvisioningAdvertisement(decoding: heard.serviceData)
    else { return nil }
    address = heard.address
    name = heard.name
    rssi = heard.rssi
    self.advertisement = advertisement
  }
}

extension DeviceSighting {
  /// Whether a person would see a change: all but the signal strength counts.
  func differs(from other: DeviceSighting) -> Bool {
    name != other.name || advertisement != other.advertisement || address != other.address
  }
}
