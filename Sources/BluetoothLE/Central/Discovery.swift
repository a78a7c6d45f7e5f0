/// An advertisement that was heard.
public struct Discovery: Sendable, Hashable {
  /// Who sent it.
  public let address: BluetoothAddress
  /// What it says, together with what was heard of the same peripheral before.
  public let advertisement: AdvertisementData
  /// The strength of the signal in dBm, where it is known.
  public let rssi: Int?
}
