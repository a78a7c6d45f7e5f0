/// An advertisement as the radio's service passes it on, before anybody knows what it is of.
package struct Advertisement: Sendable, Equatable {
  /// Who sent it.
  package let address: PeerAddress
  /// The local name, if one was heard: text from outside, which may hold anything.
  package let name: String?
  /// Signal strength in dBm, if known.
  package let rssi: Int?
  /// The service data under `FF00`, which others use too.
  package let serviceData: [UInt8]

  /// Makes an advertisement of the given parts.
  package init(address: PeerAddress, name: String?, rssi: Int?, serviceData: [UInt8]) {
    self.address = address
    self.name = name
    self.rssi = rssi
    self.serviceData = serviceData
  }
}
