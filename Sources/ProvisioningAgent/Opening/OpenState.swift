package import ProvisioningProtocol

/// Whether provisioners can see and use a device, and why.
package enum OpenState: Equatable, Sendable {
  case open(OpenCause)
  case closed(ClosedCause)

  package enum OpenCause: Equatable, Sendable {
    case always
    /// No Wi-Fi network is saved, and there is no other connection.
    case nothingSaved
    /// There has been no working connection for so long.
    case offline(Duration)
    case byHand
  }

  package enum ClosedCause: Equatable, Sendable {
    /// It is not known yet what NetworkManager has.
    case starting
    /// Connected, by Wi-Fi where there is a name; opens so long after that is lost.
    case online(SSID?, opensAfter: Duration)
    /// Not connected, but not for long enough.
    case waiting(Duration)
    /// A Wi-Fi network is saved.
    case provisioned
    /// Nobody has opened it.
    case manual
    /// It was open for as long as the configuration allows.
    case windowOver
    case byHand
  }

  package var isOpen: Bool { if case .open = self { true } else { false } }

  /// One sentence for a person, without its end.
  package var words: String {
    switch self {
    case .open(.always): "open, as the configuration says"
    case .open(.nothingSaved): "open, for no Wi-Fi network is saved"
    case .open(.offline(let time)):
      "open, for there has been no working connection for \(time.components.seconds) s"
    case .open(.byHand): "open, for somebody at the device opened it"
    case .closed(.starting): "closed, for NetworkManager has not told yet what is saved"
    case .closed(.online(let ssid, let time)):
      "closed, for the device is connected\(ssid.map { " to ‘\($0)’" } ?? "")"
        + "; it opens \(time.components.seconds) s after that is lost"
    case .closed(.waiting(let time)):
      "closed, for a saved network may yet come; it opens after \(time.components.seconds) s"
        + " without a connection"
    case .closed(.provisioned): "closed, for a Wi-Fi network is saved"
    case .closed(.manual): "closed, until somebody at the device opens it"
    case .closed(.windowOver):
      "closed, for its time is over; it opens when a connection comes and is lost,"
        + " at the next boot, and by ‘wifi-provisiond open’"
    case .closed(.byHand): "closed, for somebody at the device closed it"
    }
  }
}
