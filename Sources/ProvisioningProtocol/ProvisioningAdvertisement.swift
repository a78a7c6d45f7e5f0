/// What a device says of itself while it advertises: the service data for FF00.
package struct ProvisioningAdvertisement: Hashable, Sendable {
  /// The first two bytes: others use FF00 too, so a device is known by UUID and magic together.
  package static let magic: [UInt8] = [0x57, 0x50]
  /// The third byte: another one is another protocol.
  package static let majorVersion: UInt8 = 1
  /// How many bytes of service data this version writes.
  package static let encodedLength = 10
  /// How many bytes of a name fit the scan response.
  package static let nameLimit = 29

  /// What the device asks of a provisioner.
  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The plain profile works, for whoever is in reach or over a paired link.
    package static let plainAccepted = Self(rawValue: 0x10)
    /// Only who proves to know the setup code is served.
    package static let setupCodeRequired = Self(rawValue: 0x20)
    /// Someone must do something at the device first, such as press its button.
    package static let authorizationRequired = Self(rawValue: 0x40)
  }

  /// Where the device is.
  package var state: AdvertisedState
  /// What it asks of a provisioner.
  package var flags: Flags
  /// Which device it is.
  package var deviceID: DeviceID

  package init(state: AdvertisedState, flags: Flags, deviceID: DeviceID) {
    self.state = state
    self.flags = flags
    self.deviceID = deviceID
  }

  /// Why service data for FF00 is not one of these.
  package enum DecodingError: Error, Hashable, Sendable {
    /// The magic is not ours: a device of somebody else.
    case foreign
    /// The magic is ours, and bytes are missing.
    case truncated(count: Int)
    case unsupportedVersion(UInt8)
  }

  /// Reads service data; bytes after the tenth belong to later minor versions and are ignored.
  package init(decoding bytes: [UInt8]) throws(DecodingError) {
    guard bytes.starts(with: Self.magic) else { throw .foreign }
    guard bytes.count > 2 else { throw .truncated(count: bytes.count) }
    guard bytes[2] == Self.majorVersion else { throw .unsupportedVersion(bytes[2]) }
    guard bytes.count >= Self.encodedLength, let deviceID = DeviceID(bytes: bytes[4..<10]) else {
      throw .truncated(count: bytes.count)
    }
    self.init(
      state: AdvertisedState(rawValue: bytes[3]), flags: Flags(rawValue: bytes[3] & 0xF0),
      deviceID: deviceID)
  }

  /// The ten bytes of service data.
  package var encoded: [UInt8] {
    Self.magic + [Self.majorVersion, flags.rawValue & 0xF0 | state.rawValue] + deviceID.bytes
  }

  /// As much of `name` as fits the scan response, cut between characters of UTF-8.
  package static func advertisedName(_ name: String) -> String {
    var scalars = name.unicodeScalars[...]
    while String(scalars).utf8.count > nameLimit { scalars.removeLast() }
    return String(scalars)
  }
}
