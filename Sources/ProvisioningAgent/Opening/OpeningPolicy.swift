/// When a device is open: can be seen and used by provisioners.
package struct OpeningPolicy: Equatable, Sendable {
  package enum Mode: Sendable {
    /// While there is no working connection.
    case offline
    /// While no Wi-Fi network is saved.
    case unprovisioned
    case always
    /// When the person at the device says so.
    case manual
  }

  package var mode: Mode
  /// How long there has to be no working connection, where a Wi-Fi network is saved.
  package var offlineAfter: Duration
  /// How long the device stays open unused; zero is for ever.
  ///
  /// Nil is the usual: for ever where the mode opens it, ``byHand`` where a person does.
  package var window: Duration?
  /// Whether a connection beside Wi-Fi, such as Ethernet, is a working one.
  package var countsOtherConnections: Bool

  /// How long a person's opening lasts unless told otherwise.
  package static let byHand = Duration.seconds(900)
  /// For how long a device that was just provisioned stays open once nobody uses it: a provisioner
  /// whose link broke comes back for the result.
  package static let grace = Duration.seconds(30)
  /// How long it stays open at least after it was used without success.
  package static let retryTime = Duration.seconds(120)

  package init(
    mode: Mode = .offline, offlineAfter: Duration = .seconds(60), window: Duration? = nil,
    countsOtherConnections: Bool = true
  ) {
    self.mode = mode
    self.offlineAfter = offlineAfter
    self.window = window
    self.countsOtherConnections = countsOtherConnections
  }
}
