package import ProvisioningProtocol

/// How a person names the one device that is meant.
package enum DeviceName: Sendable, Equatable {
  /// The device id: what labels and manifests show.
  case id(DeviceID)
  /// The Bluetooth address of the moment.
  case address(PeerAddress)
  /// The advertised name, which several devices may bear.
  case name(String)

  /// Takes six colon-separated pairs as an address, twelve hexadecimal digits as an id, and
  /// everything else as a name; nil for no text at all.
  package init?(_ text: String) {
    if text.isEmpty { return nil }
    if let address = PeerAddress(text) {
      self = .address(address)
    } else if let id = DeviceID(text) {
      self = .id(id)
    } else {
      self = .name(text)
    }
  }

  /// Whether the device is, by all that it shows, the one that is meant.
  package func matches(_ sighting: DeviceSighting) -> Bool {
    switch self {
    case .id(let id): id == sighting.advertisement.deviceID
    case .address(let address): address == sighting.address
    // A long name goes out cut; who types it in full means the same device.
    case .name(let name):
      name == sighting.name || ProvisioningAdvertisement.advertisedName(name) == sighting.name
    }
  }
}

extension DeviceName: CustomStringConvertible {
  /// As it was typed, but for the case of hexadecimal digits.
  package var description: String {
    switch self {
    case .id(let id): id.description
    case .address(let address): address.description
    case .name(let name): name
    }
  }
}
