/// What a device says of itself: the value of the device information characteristic.
///
/// A CBOR map with small numbers as keys, in the core deterministic encoding, of at most 500 bytes.
package struct DeviceInformation: Hashable, Sendable {
  /// The version of the protocol that this type writes, and whose major one it reads.
  package static let version = Version(major: 1, minor: 0)
  /// How many bytes an encoded value may have.
  package static let maximumLength = 500

  /// A version of the protocol: minor ones only add.
  package struct Version: Hashable, Sendable {
    package var major: UInt64
    package var minor: UInt64

    package init(major: UInt64, minor: UInt64) {
      self.major = major
      self.minor = minor
    }
  }

  /// What the device speaks.
  package var version: Version
  /// The same as in the advertisement.
  package var deviceID: DeviceID
  /// What the device is called by its owner.
  package var name: String
  /// What its maker calls it.
  package var model: String?
  /// The version of its software.
  package var firmware: String?
  /// The ways of exchanging data that it accepts now.
  package var profiles: [ProvisioningProfile]
  /// The kinds of network that the device can join.
  package var securities: [NetworkSecurity]
  /// What it can do beside connecting.
  package var features: [DeviceFeature]
  /// How the setup code is stretched, where the secure profile is offered.
  package var stretching: CodeStretching?

  package init(
    version: Version = Self.version, deviceID: DeviceID, name: String, model: String? = nil,
    firmware: String? = nil, profiles: [ProvisioningProfile] = [],
    securities: [NetworkSecurity] = [], features: [DeviceFeature] = [],
    stretching: CodeStretching? = nil
  ) {
    self.version = version
    self.deviceID = deviceID
    self.name = name
    self.model = model
    self.firmware = firmware
    self.profiles = profiles
    self.securities = securities
    self.features = features
    self.stretching = stretching
  }

  /// The keys of the map, as the schema numbers them.
  package enum Key: UInt64, CaseIterable, Sendable {
    case version = 0
    case deviceID = 1
    case name = 2
    case model = 3
    case firmware = 4
    case profiles = 5
    case securities = 6
    case features = 7
    case stretching = 8
  }
}
