/// What one byte written to the control characteristic asks for.
package enum ControlOpcode: UInt8, CaseIterable, Sendable {
  /// Join the network whose SSID and password were written before.
  case connect = 0x01
  /// Stop the attempt, and forget what was written.
  case cancel = 0x02
  /// Make the device noticed, with a light or a sound.
  case identify = 0x03
  /// Remove the Wi-Fi networks that were set up here.
  case forget = 0x04

  /// The word for it in the device information and in texts.
  package var name: String {
    switch self {
    case .connect: "connect"
    case .cancel: "cancel"
    case .identify: "identify"
    case .forget: "forget"
    }
  }
}
