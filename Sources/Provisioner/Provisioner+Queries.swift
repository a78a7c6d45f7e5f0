package import ProvisioningProtocol

extension Provisioner {
  /// Reads what a device says of itself.
  package func information(of name: DeviceName) async throws(ProvisionerError)
    -> DeviceInformation
  {
    try await withDevice(name, offering: [.information]) { peer, _ in
      try await self.readInformation(of: peer).information
    }
  }

  /// Reads where a device is with its Wi-Fi.
  package func status(of name: DeviceName) async throws(ProvisionerError) -> ProvisioningStatus {
    try await withDevice(name, offering: [.status]) { peer, _ in
      try await self.readStatus(of: peer)
    }
  }

  /// Reads the device information, and gives its bytes too, which a handshake vouches for.
  func readInformation(
    of peer: PeerAddress
  ) async throws -> (value: [UInt8], information: DeviceInformation) {
    let value = try await perform(.readInformation) { [port] in
      try await port.read(.information, of: peer)
    }
    do throws(DeviceInformation.DecodingError) {
      return (value, try DeviceInformation(decoding: value))
    } catch {
      throw ProvisionerError.malformed(.information, error.words)
    }
  }

  func readStatus(of peer: PeerAddress) async throws -> ProvisioningStatus {
    let value = try await perform(.readStatus) { [port] in try await port.read(.status, of: peer) }
    do throws(ProvisioningStatus.DecodingError) {
      return try ProvisioningStatus(decoding: value)
    } catch {
      throw ProvisionerError.malformed(.status, error.words)
    }
  }
}
