/// What the device sees.
package struct ScanResult: Sendable, Hashable {
  /// One entry a network and security, strongest first.
  package let networks: [WirelessNetwork]
  /// How many access points do not tell their network's name.
  package let hiddenCount: Int
  /// How long ago the scan ended; nil where there was none.
  package let age: Duration?
}
