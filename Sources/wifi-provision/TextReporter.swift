internal import Provisioner
internal import ProvisioningProtocol
internal import Synchronization

/// Words for a person: what is done now, how long each step took, and how it ended.
///
/// On a terminal the running step stands on a line that its result replaces; elsewhere there are
/// finished lines only, without control sequences.
final class TextReporter: Reporter {
  private struct State {
    /// What is being done, and since when.
    var step: (title: String, since: ContinuousClock.Instant)?
    /// The heading of a list stands.
    var hasHeading = false
  }

  private let output: Output
  private let isTerminal: Bool
  private let started = ContinuousClock.now
  private let state = Mutex(State())

  init(output: Output, isTerminal: Bool) {
    self.output = output
    self.isTerminal = isTerminal
  }

  func sighting(_ device: DeviceSighting) {
    output.write(
      Self.row(
        device.advertisement.deviceID.description, device.address.description,
        device.rssi.map { "\($0) dBm" } ?? "-", device.advertisement.state.words,
        device.advertisement.flags.words, device.printableName ?? "-"))
  }

  func progress(_ progress: Progress) {
    state.withLock { state in
      switch progress {
      case .scanning:
        output.write(Self.row("DEVICE ID", "ADDRESS", "SIGNAL", "STATE", "TAKES", "NAME"))
      case .searching(let name):
        begin("Searching for \(printableText(name.description.utf8))", &state)
      case .found(let device): end("Found \(device.words)", &state)
      case .connecting(let attempt):
        begin("Connecting over Bluetooth" + (attempt > 1 ? " (attempt \(attempt))" : ""), &state)
      case .retrying(let error):
        end("No connection: \(printableText(error.message.utf8)); trying again", &state)
      case .forgotten: end("The device has changed; looking at it anew", &state)
      case .connected: end("Connected over Bluetooth", &state)
      case .information: break
      case .pairing: begin("Pairing", &state)
      case .proving: begin("Proving the setup code", &state)
      case .secured: end("Both know the setup code: all that follows is sealed", &state)
      case .sendingCredentials: begin("Sending the network and its password", &state)
      case .risks(let risks):
        for risk in risks { output.writeError("wifi-provision: warning: \(risk.words)\n") }
      case .linkLost: end("Lost the device, which may go on by itself", &state)
      case .status(let status):
        if let title = state.step?.title { end(title, &state) }
        if status.value.isReturning {
          begin("Failed (\(status.value.reason.name)); going back to the network before", &state)
        } else if !status.value.state.isFinal {
          begin(status.value.state.words, &state)
        }
      }
    }
  }

  func information(_ information: DeviceInformation) {
    var lines = [
      ("Device id", information.deviceID.description),
      ("Name", printableText(information.name.utf8)),
    ]
    if let model = information.model { lines.append(("Model", printableText(model.utf8))) }
    if let firmware = information.firmware {
      lines.append(("Firmware", printableText(firmware.utf8)))
    }
    let version = information.version
    lines += [
      ("Protocol", "\(version.major).\(version.minor)"),
      ("Profiles", Self.list(information.profiles.map(\.rawValue))),
      ("Wi-Fi security", Self.list(information.securities.map(\.rawValue))),
      ("Features", Self.list(information.features.map(\.rawValue))),
    ]
    table(lines)
  }

  func currentNetwork(_ network: NetworkDescription) {
    output.write("This machine is in ‘\(network.ssid)’, which the device is to join.\n")
  }

  func details(_ details: DeviceDetails) {
    let obstacle = details.obstacle.map { "\($0.name): \($0.explanation)" } ?? "can be used"
    table([("Answers", Self.list(details.methods.map(\.rawValue))), ("Wi-Fi", obstacle)])
  }

  func networks(_ list: VisibleNetworks) {
    guard !list.networks.isEmpty || list.hiddenCount > 0 else { return }
    output.write(Self.visibleRow("SIGNAL", "SECURITY", "BAND", "POINTS", "KNOWN", "SSID"))
    for network in list.networks {
      let bands = network.bands.map { $0 == .two ? "2.4" : "\($0.rawValue)" }
      output.write(
        Self.visibleRow(
          "\(network.rssi) dBm", network.security?.rawValue ?? "unknown",
          bands.isEmpty ? "-" : bands.joined(separator: ", "), "\(network.accessPointCount)",
          network.isKnown ? "yes" : "no", network.ssid.description))
    }
    var notes: [String] = []
    if list.hiddenCount > 0 { notes.append("hidden access points: \(list.hiddenCount)") }
    if list.age > 0 { notes.append("seen \(list.age) s ago") }
    if !notes.isEmpty { output.write("(\(notes.joined(separator: "; ")))\n") }
  }

  func savedNetwork(_ network: SavedNetwork) {
    heading(Self.networkRow("USE", "SECURITY", "AUTO", "SSID"))
    output.write(
      Self.networkRow(
        network.isInUse ? "in use" : "-", network.security?.rawValue ?? "unknown",
        network.connectsAutomatically ? "yes" : "no", network.ssid.description))
  }

  /// Writes the heading of a list above its first row.
  private func heading(_ text: String) {
    let stands = state.withLock { state in
      defer { state.hasHeading = true }
      return state.hasHeading
    }
    if !stands { output.write(text) }
  }

  func status(_ told: DeviceStatus) {
    let status = told.value
    var lines = [("State", status.state.words)]
    if let ssid = told.ssid { lines.append(("Network", ssid.description)) }
    if status.reason != .none {
      lines.append(("Reason", "\(status.reason.name): \(status.reason.explanation)"))
    }
    lines += [
      ("Address", status.ipv4?.description ?? "none"),
      ("Signal", status.rssi.map { "\($0) dBm" } ?? "unknown"),
      ("Internet", status.connectivity.words),
      ("Attempts", status.attempt.description),
    ]
    let link = told.link
    if !link.ipv6.isEmpty { lines.append(("IPv6", Self.list(link.ipv6.map(\.description)))) }
    if !link.gateways.isEmpty {
      lines.append(("Gateway", Self.list(link.gateways.map(\.description))))
    }
    if !link.dns.isEmpty { lines.append(("DNS", Self.list(link.dns.map(\.description)))) }
    if let frequency = link.frequency { lines.append(("Channel", "\(frequency) MHz")) }
    if let tried = told.triedSSID, tried != told.ssid {
      lines.append(("Tried", tried.description))
    }
    for risk in told.risks { lines.append(("Risk", "\(risk.rawValue): \(risk.words)")) }
    if let evidence = told.evidence {
      lines.append(("Device saw", evidence.words))
      let advice = evidence.advice.map { printableText($0.utf8) } ?? status.reason.advice
      if !advice.isEmpty { lines.append(("What to do", advice)) }
    }
    table(lines)
  }

  func finish(_ result: CommandResult) {
    state.withLock { state in
      // What was under way did not come to its own end.
      if let title = state.step?.title { end(title, &state) }
    }
    switch result.outcome {
    case .failed:
      output.writeError("wifi-provision: \(result.message)\n")
      if let evidence = result.evidence { output.writeError("Why: \(evidence.words)\n") }
      if !result.advice.isEmpty { output.writeError("\(result.advice)\n") }
    case .connected, .done:
      if !result.message.isEmpty { output.write("\(result.message)\n") }
      if !result.advice.isEmpty { output.write("\(result.advice)\n") }
    }
  }

  private func begin(_ title: String, _ state: inout State) {
    state.step = (title, ContinuousClock.now)
    if isTerminal { output.write("       …   \(title)") }
  }

  private func end(_ text: String, _ state: inout State) {
    let since = state.step?.since ?? started
    if isTerminal, state.step != nil { output.write("\r\u{1B}[K") }
    state.step = nil
    output.write("\(Self.seconds(ContinuousClock.now - since))   \(text)\n")
  }

  private func table(_ lines: [(String, String)]) {
    for (title, value) in lines { output.write("\(Self.padded(title + ":", to: 16))\(value)\n") }
  }

  private static func list(_ words: [String]) -> String {
    words.isEmpty ? "none" : words.joined(separator: ", ")
  }

  private static func row(
    _ id: String, _ address: String, _ signal: String, _ state: String, _ takes: String,
    _ name: String
  ) -> String {
    padded(id, to: 14) + padded(address, to: 19) + padded(signal, to: 10) + padded(state, to: 21)
      + padded(takes, to: 14) + name + "\n"
  }

  private static func visibleRow(
    _ signal: String, _ security: String, _ bands: String, _ points: String, _ known: String,
    _ ssid: String
  ) -> String {
    padded(signal, to: 10) + padded(security, to: 10) + padded(bands, to: 11)
      + padded(points, to: 8) + padded(known, to: 7) + ssid + "\n"
  }

  private static func networkRow(
    _ first: String, _ security: String, _ third: String, _ ssid: String
  ) -> String {
    padded(first, to: 10) + padded(security, to: 10) + padded(third, to: 8) + ssid + "\n"
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  /// Such as `  1.25 s`.
  static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let hundredths = attoseconds / 10_000_000_000_000_000
    let text = "\(seconds).\(hundredths < 10 ? "0" : "")\(hundredths) s"
    return String(repeating: " ", count: max(0, 8 - text.count)) + text
  }
}
