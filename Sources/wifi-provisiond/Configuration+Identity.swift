internal import MachineIdentity
internal import ProvisioningProtocol

extension Configuration {
  // Drawn once; another one would give every device another id.
  private static let applicationID: [UInt8] = [
    0xac, 0xae, 0x50, 0x0b, 0x21, 0x01, 0xeb, 0xee, 0x81, 0x7f, 0x12, 0x3e, 0x33, 0x18, 0xe8, 0x6a,
  ]

  /// The configured id, or one made of the machine id.
  ///
  /// - Throws: when neither is there.
  func deviceID(paths: [String] = MachineIdentity.machineIDPaths) throws(MachineIdentity.Failure)
    -> DeviceID
  {
    if let id { return id }
    let digest = try MachineIdentity.applicationSpecificID(
      application: Self.applicationID, paths: paths)
    guard let id = DeviceID(bytes: digest.prefix(6)) else { throw .missing }
    return id
  }

  /// The configured name, or the host's name and the last four digits of the id; at most 29 bytes.
  ///
  /// The digits tell boards apart that were made from one image.
  func deviceName(id: DeviceID, hostName: String? = MachineIdentity.hostName) -> String {
    if let name { return ProvisioningAdvertisement.advertisedName(name) }
    let suffix = "-" + id.description.suffix(4)
    var host = hostName ?? "wifi"
    while host.utf8.count + suffix.utf8.count > ProvisioningAdvertisement.nameLimit {
      host.removeLast()
    }
    return host + suffix
  }
}
