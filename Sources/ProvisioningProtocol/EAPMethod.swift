/// The methods by which a device proves who it is to a network with 802.1X.
package enum EAPMethod: String, CaseIterable, Sendable {
  /// An identity and its password, inside of TLS.
  case peap
  /// The same in another wrapping.
  case ttls
  /// A certificate and its key.
  case tls
}
