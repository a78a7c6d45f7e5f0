/// The value of the status characteristic: ten bytes, so that it fits the smallest MTU.
package struct ProvisioningStatus: Hashable, Sendable {
  /// The first byte.
  ///
  /// Another one is another protocol; what a minor version adds comes at the end.
  package static let majorVersion: UInt8 = 1
  /// How many bytes this version writes.
  package static let encodedLength = 10

  /// Where the device is.
  package var state: ProvisioningState
  /// Why an attempt failed or a write was refused; a warning beside `connected`.
  package var reason: Reason
  /// How much of the internet the device reaches.
  package var connectivity: Connectivity
  /// Counts the connect requests since the device started: 0 none yet, and 1 again after 255.
  package var attempt: UInt8
  /// The device's address in the Wi-Fi network, once it has one.
  package var ipv4: IPv4Address?
  /// How strong the device hears the access point, in dBm; nil where it does not say.
  package var rssi: Int8?

  package init(
    state: ProvisioningState = .idle, reason: Reason = .none,
    connectivity: Connectivity = .unknown, attempt: UInt8 = 0, ipv4: IPv4Address? = nil,
    rssi: Int8? = nil
  ) {
    self.state = state
    self.reason = reason
    self.connectivity = connectivity
    self.attempt = attempt
    self.ipv4 = ipv4
    self.rssi = rssi
  }

  /// The number of the attempt that follows `attempt`.
  package static func attempt(after attempt: UInt8) -> UInt8 {
    // 0 stays for "none yet".
    attempt == .max ? 1 : attempt + 1
  }

  /// Why bytes are not a status value.
  package enum DecodingError: Error, Hashable, Sendable {
    /// Fewer than ten bytes.
    case truncated(count: Int)
    case unsupportedVersion(UInt8)
  }

  /// Reads a status value; bytes after the tenth belong to later minor versions and are ignored.
  package init(decoding bytes: [UInt8]) throws(DecodingError) {
    if let version = bytes.first, version != Self.majorVersion {
      throw .unsupportedVersion(version)
    }
    guard bytes.count >= Self.encodedLength else { throw .truncated(count: bytes.count) }
    let address = bytes[5..<9]
    let rssi = Int8(bitPattern: bytes[9])
    self.init(
      state: ProvisioningState(rawValue: bytes[1]), reason: Reason(rawValue: bytes[2]),
      connectivity: Connectivity(rawValue: bytes[3]), attempt: bytes[4],
      ipv4: address.allSatisfy { $0 == 0 } ? nil : IPv4Address(bytes: address),
      rssi: rssi == 0 ? nil : rssi)
  }

  /// The ten bytes.
  package var encoded: [UInt8] {
    [Self.majorVersion, state.rawValue, reason.rawValue, connectivity.rawValue, attempt]
      + (ipv4?.bytes ?? [0, 0, 0, 0]) + [UInt8(bitPattern: rssi ?? 0)]
  }
}
