internal import Diagnostics
internal import ProvisioningProtocol

extension DaemonStatus {
  /// For the person at the device.
  ///
  /// - Parameter now: milliseconds since the boot.
  func text(now: UInt64) -> String {
    var lines = [("Device", "\(name.escapingControls) (\(deviceID))")]
    var opening = why.isEmpty ? isOpen ? "open" : "closed" : why
    if let seconds = remainingSeconds(now: now) {
      opening += "; it closes in \(seconds) s unless it is used"
    }
    lines.append(("Provisioning", opening))
    let problem = bluetoothProblem.isEmpty ? "" : ": \(bluetoothProblem)"
    lines.append(("Bluetooth", (bluetooth.isEmpty ? "starting" : bluetooth) + problem))
    if !session.isEmpty { lines.append(("Provisioner", session)) }
    var wifi = state
    if let ssid = try? SSID(ssid) { wifi += " ‘\(ssid)’" }
    if !address.isEmpty { wifi += ", \(address)" }
    lines.append(("Wi-Fi", wifi))
    if !obstacle.isEmpty { lines.append(("Obstacle", "\(obstacle): \(obstacleExplanation)")) }
    if !reason.isEmpty {
      let tried = (try? SSID(triedSSID)).map { "‘\($0)’: " } ?? ""
      lines.append(("Last failure", "\(tried)\(reason): \(explanation)"))
    }
    return lines.map { label, text in
      label + String(repeating: " ", count: 14 - label.count) + text.escapingControls + "\n"
    }.joined()
  }

  /// For programs: one object in one line; what is not known is null.
  func json(now: UInt64) -> String {
    func text(_ text: String) -> JSONScalar { text.isEmpty ? .null : .string(text) }
    func ssid(_ bytes: [UInt8]) -> JSONScalar {
      String(validating: bytes, as: UTF8.self).map(text) ?? .null
    }
    func hex(_ bytes: [UInt8]) -> JSONScalar { text((try? SSID(bytes))?.hex ?? "") }
    return JSONScalar.object([
      ("version", text(version)), ("id", text(deviceID)), ("name", text(name)),
      ("open", .boolean(isOpen)), ("why", text(why)),
      ("closes_in", remainingSeconds(now: now).map { .integer(Int64($0)) } ?? .null),
      ("session", text(session)), ("bluetooth", text(bluetooth)),
      ("bluetooth_problem", text(bluetoothProblem)), ("state", text(state)),
      ("reason", text(reason)), ("explanation", text(explanation)), ("obstacle", text(obstacle)),
      ("obstacle_explanation", text(obstacleExplanation)), ("ssid", ssid(self.ssid)),
      ("ssid_hex", hex(self.ssid)), ("tried", ssid(triedSSID)), ("tried_hex", hex(triedSSID)),
      ("ipv4", text(address)),
    ]) + "\n"
  }

  private func remainingSeconds(now: UInt64) -> UInt64? {
    windowEnd == 0 ? nil : (windowEnd - min(now, windowEnd)) / 1000
  }
}
