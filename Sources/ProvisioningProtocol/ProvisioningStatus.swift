/// The value of the status characteristic: eleven bytes, so that it fits the smallest MTU.
package struct ProvisioningStatus: Hashable, Sendable {
  /// The first byte.
  ///
  /// Another one is another protocol; what a minor version adds comes at the end.
  package static let majorVersion: UInt8 = 1
  /// How many bytes this version writes.
  package static let encodedLength = 11
  /// How many bytes there are at least; those that follow may be missing.
  private static let minimumLength = 10
  private static let returningFlag: UInt8 = 0x01

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
  /// Beside `failed`: the device goes back to the network that it was in before, and another
  /// final state of the same attempt follows.
  package var isReturning: Bool

  package init(
    state: ProvisioningState = .idle, reason: Reason = .none,
    connectivity: Connectivity = .unknown, attempt: UInt8 = 0, ipv4: IPv4Address? = nil,
    rssi: Int8? = nil, isReturning: Bool = false
  ) {
    self.state = state
    self.reason = reason
    self.connectivity = connectivity
    self.attempt = attempt
    self.ipv4 = ipv4
    self.rssi = rssi
    self.isReturning = isReturning
  }

  /// Whether the attempt ends here, and nothing more follows of it.
  package var isLast: Bool { state.isFinal && !isReturning }

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

  /// Reads a status value; bytes after the eleventh, and unknown flags in it, belong to later minor
  /// versions and are ignored.
  package init(decoding bytes: [UInt8]) throws(DecodingError) {
    if let version = bytes.first, version != Self.majorVersion {
      throw .unsupportedVersion(version)
    }
    guard bytes.count >= Self.minimumLength else { throw .truncated(count: bytes.count) }
    let address = bytes[5..<9]
    let rssi = Int8(bitPattern: bytes[9])
    self.init(
      state: ProvisioningState(rawValue: bytes[1]), reason: Reason(rawValue: bytes[2]),
      connectivity: Connectivity(rawValue: bytes[3]), attempt: bytes[4],
      ipv4: address.allSatisfy { $0 == 0 } ? nil : IPv4Address(bytes: address),
      rssi: rssi == 0 ? nil : rssi,
      isReturning: bytes.count > Self.minimumLength
        && bytes[Self.minimumLength] & Self.returningFlag != 0)
  }

  /// The eleven bytes.
  package var encoded: [UInt8] {
    [Self.majorVersion, state.rawValue, reason.rawValue, connectivity.rawValue, attempt]
      + (ipv4?.bytes ?? [0, 0, 0, 0])
      + [UInt8(bitPattern: rssi ?? 0), isReturning ? Self.returningFlag : 0]
  }
}
