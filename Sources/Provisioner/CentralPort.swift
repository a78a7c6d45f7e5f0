package import ProvisioningProtocol

/// The radio as the provisioner needs it: one adapter in the central role.
///
/// Every method ends soon after its task is cancelled, with whatever error. A link that breaks
/// fails what waits on it with ``CentralError/Code/linkLost``. The provisioner never has two
/// operations on one device under way.
package protocol CentralPort: Sendable {
  /// Waits for a radio that can be used, a few seconds at most.
  func prepare() async throws(CentralError)

  /// The advertisements with service data under `FF00`, as they are heard: each one whose content
  /// changed, at least.
  ///
  /// Dropping the stream ends the scan. The stream throws ``CentralError`` when the radio goes
  /// away.
  func scan() async throws(CentralError) -> AsyncThrowingStream<Advertisement, any Error>

  /// Brings the link up; once, without trying again.
  func connect(_ peer: PeerAddress) async throws(CentralError)

  /// Learns what the device offers.
  ///
  /// - Returns: the characteristics of the provisioning services that were found.
  func discover(_ peer: PeerAddress) async throws(CentralError) -> Set<ProvisioningCharacteristic>

  /// Reads a whole value, however long.
  func read(_ characteristic: ProvisioningCharacteristic, of peer: PeerAddress)
    async throws(CentralError) -> [UInt8]

  /// Pairs, so that the link is encrypted; returns at once where it is paired already.
  ///
  /// A person may be asked for a passkey that the device shows. Throws
  /// ``CentralError/Code/pairingFailed`` or ``CentralError/Code/passkeyRequired`` where the two
  /// sides do not agree.
  func pair(_ peer: PeerAddress) async throws(CentralError)

  /// Writes a value and waits for the device's answer.
  func write(_ value: [UInt8], to characteristic: ProvisioningCharacteristic, of peer: PeerAddress)
    async throws(CentralError)

  /// The values that the device notifies, from now on.
  ///
  /// Returns once the device has accepted the subscription. The stream throws ``CentralError``
  /// when the link breaks.
  func subscribe(to characteristic: ProvisioningCharacteristic, of peer: PeerAddress)
    async throws(CentralError) -> AsyncThrowingStream<[UInt8], any Error>

  /// How many bytes one write to a characteristic may have on this link: at least 20.
  func writeLength(for characteristic: ProvisioningCharacteristic, of peer: PeerAddress) async
    -> Int

  /// Takes the link down, and gives up one that is coming up; does nothing where there is none.
  func disconnect(_ peer: PeerAddress) async

  /// Has the radio's service drop all it knows of the device, its GATT cache above all.
  func forget(_ peer: PeerAddress) async
}
