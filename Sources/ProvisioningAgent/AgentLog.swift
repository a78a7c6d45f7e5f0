internal import Diagnostics
internal import ProvisioningProtocol

/// What an agent tells the person who looks after the device: a line for each thing that happens,
/// nothing secret in any.
///
/// Notices are what that person may want to know a month later, warnings what somebody has to do
/// something about; every step of a session is at the level below. Fields are named as the
/// variables of hooks.
struct AgentLog {
  private let log: Log

  init(_ log: Log) { self.log = log }

  func started(_ device: DeviceDescription) {
    log.notice(
      "device \(device.id), ‘\(device.name)’", .started,
      [LogField("PROVISIONING_DEVICE", "\(device.id)")])
  }

  func setupCodeIsMissing() {
    log.warning(
      """
      credentials are refused: there is no setup code; \
      security = open in the configuration takes them from anyone in reach
      """)
  }

  func changed(to state: OpenState) {
    log.notice(
      state.words, state.isOpen ? .opened : .closed, [LogField("PROVISIONING_WHY", state.words)])
  }

  func windowIsNotStored(_ error: any Error) {
    log.warning("a restart will forget how long the device is to stay open: \(error)", .notStored)
  }

  // MARK: Bluetooth and Wi-Fi

  func changed(to state: PeripheralState) {
    switch state {
    case .unavailable(let why):
      log.warning("Bluetooth cannot be used: \(why)", .bluetoothUnavailable)
    case .hidden(let why): log.warning("not advertising: \(why)", .bluetoothUnavailable)
    case .idle: log.info("Bluetooth can be used")
    case .advertising: log.notice("advertising", .advertising)
    }
  }

  func wifi(cannotBeUsedFor obstacle: Reason) {
    log.warning(
      "Wi-Fi cannot be used: \(obstacle.explanation) \(obstacle.advice)", .wifiUnavailable,
      [Self.reason(obstacle)])
  }

  func wifiCanBeUsed() { log.notice("Wi-Fi can be used", .wifiAvailable) }

  // MARK: Sessions

  func sessionBegan(_ central: CentralID) {
    log.info(
      "provisioner \(central.rawValue) has begun", .sessionBegan, [Self.central(central)])
  }

  func sessionEnded(_ central: CentralID, _ how: String) {
    log.info("provisioner \(central.rawValue) has \(how)", .sessionEnded, [Self.central(central)])
  }

  func knowsCode(_ central: CentralID) {
    log.info(
      "provisioner \(central.rawValue) knows the setup code", .codeKnown, [Self.central(central)])
  }

  func broken(_ central: CentralID, _ reason: AbortReason) {
    let (name, fields) = (central.rawValue, [Self.central(central)])
    switch reason {
    case .wrongCode(let left):
      log.warning(
        "provisioner \(name) has a wrong setup code; guesses left: \(left.map(String.init) ?? "?")",
        .wrongCode, fields)
    case .lockedOut(let seconds):
      log.warning(
        "provisioner \(name) was sent away: locked for \(seconds) s after wrong codes", .lockedOut,
        fields)
    case .malformed, .busy, .timedOut, .notEnabled, .other:
      log.info(
        "the session with provisioner \(name) was broken off: \(reason)", .sessionBroken, fields)
    }
  }

  func refused(
    _ characteristic: ProvisioningCharacteristic, of central: CentralID, _ error: ApplicationError
  ) {
    log.info(
      "\(characteristic.userDescription) of \(central.rawValue) refused: \(error.reason.name)",
      .refused, [Self.central(central), Self.reason(error.reason)])
  }

  func cannotSend(count: Int) { log.error("a message of \(count) bytes cannot be sent") }

  func guessesAreNotStored(_ error: any Error) {
    log.error(
      "the count of wrong setup codes cannot be stored, so none is checked: \(error)", .notStored)
  }

  func guessesAreForgiven() {
    log.notice("the wrong setup codes are forgiven", .guessesForgiven)
  }

  // MARK: Networks

  func joining(_ request: ConnectRequest) {
    let ssid = request.network.ssid
    log.notice(
      "joining ‘\(ssid)’, attempt \(request.attempt)", .joining,
      Self.ssid(ssid) + [Self.attempt(request.attempt)])
  }

  func told(_ status: ProvisioningStatus) {
    let reason = status.reason == .none ? "" : ": \(status.reason.name)"
    let text = status.state.name + reason
    var fields = [
      LogField("PROVISIONING_STATE", status.state.name), Self.attempt(status.attempt),
    ]
    if status.reason != .none { fields.append(Self.reason(status.reason)) }
    switch status.state {
    case .connected:
      if let address = status.ipv4 { fields.append(LogField("PROVISIONING_ADDRESS", "\(address)")) }
      log.notice(text, .connected, fields)
    case .failed, .rolledBack: log.notice(text, .failed, fields)
    default: log.info(text, .progress, fields)
    }
  }

  func found(_ evidence: AttemptEvidence, _ attempt: UInt8) {
    log.info("attempt \(attempt): \(evidence.logLine)", .evidence, [Self.attempt(attempt)])
  }

  func forgetting(_ ssid: SSID) {
    log.notice("forgetting ‘\(ssid)’", .forgetting, Self.ssid(ssid))
  }

  // MARK: Being noticed

  func identifying() { log.notice("making itself noticed", .identifying) }

  func cannotIdentify(_ error: any Error) {
    log.error("the device cannot make itself noticed: \(error)", .identifying)
  }

  func identificationIsNotRestored(_ error: any Error) {
    log.warning("what made the device noticed cannot be put back: \(error)", .identifying)
  }

  // MARK: Fields

  private static func central(_ central: CentralID) -> LogField {
    LogField("PROVISIONING_CENTRAL", central.rawValue)
  }

  private static func attempt(_ number: UInt8) -> LogField {
    LogField("PROVISIONING_ATTEMPT", "\(number)")
  }

  private static func reason(_ reason: Reason) -> LogField {
    LogField("PROVISIONING_REASON", reason.name)
  }

  private static func ssid(_ ssid: SSID) -> [LogField] {
    [LogField("PROVISIONING_SSID", "\(ssid)"), LogField("PROVISIONING_SSID_HEX", ssid.hex)]
  }
}
