internal import Provisioner
internal import ProvisioningProtocol

extension CommandResult {
  /// The result of a command line that is wrong.
  static func usage(_ message: String) -> CommandResult {
    failed("usage", .usage, message, "See ‘wifi-provision --help’.")
  }

  /// The result of a command that a signal ended.
  static func interrupted(by signal: Int32) -> CommandResult {
    failed("interrupted", .signal(signal), "Interrupted.", "")
  }

  /// The result of a command without the secret that it needs.
  init(_ error: SecretError) {
    switch error.problem {
    case .interrupted(let signal): self = Self.interrupted(by: signal)
    case .code, .label:
      let message = error.message
      self = Self.failed(
        "mistyped-code", .wrongCode, "\(message.prefix(1).uppercased())\(message.dropFirst()).",
        "Compare it with the label. No attempt was spent on it.")
    case .network(let error):
      self = Self.failed(error.reason.name, .usage, error.words, error.advice)
    default: self = Self.usage(error.message)
    }
  }

  /// The result of a command that ended before the device could report on its Wi-Fi.
  init(_ error: ProvisionerError) {
    switch error {
    case .adapter(let problem): self = Self.adapter(problem)
    case .deviceNotFound(let name, let others):
      let wanted = printableText(name.description.utf8)
      self = Self.failed(
        "device-not-found", .deviceNotFound, "No device ‘\(wanted)’ was heard.",
        others.isEmpty
          ? "Nothing else was heard either: bring the device closer, and see whether it is on."
          : "These were:\n\(Self.list(others))")
    case .ambiguous(let name, let candidates):
      self = Self.failed(
        "ambiguous-name", .deviceNotFound,
        "\(candidates.count) devices are called ‘\(printableText(name.description.utf8))’.",
        "Name one by its device id or its address:\n\(Self.list(candidates))")
    case .connectionFailed(let error):
      self = Self.failed(
        "connection-failed", .connectionFailed,
        "The Bluetooth connection failed\(Self.quoted(error)).",
        """
        Bring the device closer, see that nobody else is connected to it, and try again. If the two \
        were paired, and one has forgotten that, let the other one forget it, too: \
        bluetoothctl remove ADDRESS
        """)
    case .incomplete(let missing):
      let names = missing.map(\.userDescription).sorted().joined(separator: ", ")
      self = Self.failed(
        "not-understood", .connectionFailed, "The device does not offer: \(names).",
        "Restart its provisioning service; see that both programs are of versions that fit.")
    case .connectionLost(.search, let error):
      self = Self.failed(
        "scan-failed", .noAdapter, "The adapter does not scan\(Self.quoted(error)).",
        "Switch it off and on: bluetoothctl power off, bluetoothctl power on")
    case .connectionLost(let step, let error):
      self = Self.failed(
        "connection-lost", .connectionFailed,
        "The Bluetooth connection was lost \(step.words)\(Self.quoted(error)).",
        step == .awaitOutcome
          ? "The device may go on by itself: ask it with ‘wifi-provision status’."
          : "Bring the device closer and try again.")
    case .refused(let step, let refusal): self = Self.refused(step, refusal)
    case .wrongCode(let left):
      let attempts = left.map { ", \($0) \($0 == 1 ? "attempt" : "attempts") left" } ?? ""
      self = Self.failed(
        "wrong-code", .wrongCode, "Wrong setup code\(attempts).",
        """
        Compare it with the label. If it is right, somebody between you and the device may have \
        changed what the device says of itself.
        """)
    case .codeOfAnother(let id):
      self = Self.failed(
        "code-of-another", .wrongCode, "The setup code is on the label of the device \(id).",
        "Name that device, or take the label of this one. No attempt was spent on it.")
    case .lockedOut(let seconds):
      self = Self.failed(
        "locked-out", .lockedOut,
        "The device is locked for \(seconds) s after too many wrong setup codes.",
        "Wait, then try again with the code from the label.")
    case .insecureOnly:
      self = Self.failed(
        "insecure-only", .refused, "The device takes credentials by plain writes only.",
        """
        --insecure sends the password so that everybody in reach can read it, unless the device \
        has the link paired, and so that nobody can tell whether it is your device that takes it.
        """)
    case .sessionBroken(let step, let reason):
      self = Self.failed(
        "session-broken", .connectionFailed,
        "The secure session broke \(step.words) (\(reason)).",
        "Try again; if it happens again, somebody may be interfering.")
    case .malformed(let characteristic, let problem):
      self = Self.failed(
        "not-understood", .connectionFailed,
        "The device's \(characteristic.userDescription) cannot be understood: \(problem).",
        "See that both programs are of versions that fit.")
    case .timedOut(let step):
      self = Self.failed(
        "timed-out", .timedOut, "The time was up \(step.words).",
        step == .awaitOutcome
          ? "The device may go on by itself: ask it with ‘wifi-provision status’."
          : "Try again with a longer --timeout.")
    case .cancelled:
      self = Self.failed("interrupted", .otherFailure, "The command was cancelled.", "")
    }
  }

  private static func failed(
    _ reason: String, _ exitCode: ExitCode, _ message: String, _ advice: String
  ) -> CommandResult {
    CommandResult(
      outcome: .failed, reason: reason, exitCode: exitCode, message: message, advice: advice)
  }

  private static func adapter(_ problem: AdapterProblem) -> CommandResult {
    let (reason, message, advice) =
      switch problem {
      case .noBus(let words):
        (
          "no-bus", "There is no system message bus: \(printableText(words.utf8)).",
          "Start D-Bus, or call the program outside the container."
        )
      case .noService:
        (
          "no-bluetooth-service", "The Bluetooth service (BlueZ) is not running.",
          "Install the package ‘bluez’, then: systemctl start bluetooth"
        )
      case .noAdapter(let name?):
        (
          "no-adapter", "There is no Bluetooth adapter ‘\(printableText(name.utf8))’.",
          "See which there are: bluetoothctl list"
        )
      case .noAdapter(nil):
        (
          "no-adapter", "There is no Bluetooth adapter.",
          "Plug one in, or see whether the kernel knows it: dmesg | grep -i bluetooth"
        )
      case .poweredOff:
        ("adapter-off", "The Bluetooth adapter is switched off.", "bluetoothctl power on")
      case .blocked:
        (
          "adapter-blocked", "The Bluetooth adapter is blocked.",
          "rfkill unblock bluetooth, or the switch on the machine"
        )
      case .unsupported:
        (
          "adapter-unsupported",
          "The Bluetooth adapter cannot connect to Bluetooth Low Energy devices.",
          "Use another adapter with --adapter."
        )
      case .notPermitted:
        (
          "not-permitted", "This user may not use Bluetooth.",
          "Join the group ‘bluetooth’, or call the program as root."
        )
      }
    return failed(reason, .noAdapter, message, advice)
  }

  private static func refused(_ step: Step, _ refusal: Refusal) -> CommandResult {
    switch refusal {
    case .reason(let reason): failed(reason.name, .refused, reason.explanation, reason.advice)
    case .failure(let failure):
      failed(
        failure.reason.name, .refused, printableText(failure.explanation.utf8),
        failure.advice.map { printableText($0.utf8) } ?? "")
    case .pairingRequired:
      failed(
        "pairing-required", .refused, "The device wants a paired connection.",
        """
        If it has forgotten an earlier pairing: bluetoothctl remove ADDRESS, and try again. \
        Otherwise pair with it first: bluetoothctl pair ADDRESS
        """)
    case .pairingFailed:
      failed(
        "pairing-failed", .refused, "The device and this machine did not pair.",
        """
        If the device shows a passkey, type that one. If one of the two has forgotten an earlier \
        pairing, let the other one forget it, too: bluetoothctl remove ADDRESS
        """)
    case .passkeyRequired:
      failed(
        "passkey-required", .refused, "The device shows a passkey to pair with.",
        "Call from a terminal, and type it there.")
    case .attribute(let code):
      failed(
        "refused", .refused,
        "The device refused with the Bluetooth error 0x\(String(code, radix: 16)) \(step.words).",
        "Look into the device's log: journalctl -u wifi-provisiond")
    }
  }

  private static func list(_ devices: [DeviceSighting]) -> String {
    devices.map { "  \($0.words)" }.joined(separator: "\n")
  }

  private static func quoted(_ error: CentralError) -> String {
    error.message.isEmpty ? "" : " (\(printableText(error.message.utf8)))"
  }
}

extension Step {
  /// When it was, as the end of a sentence.
  fileprivate var words: String {
    switch self {
    case .search: "during the search"
    case .connect: "while connecting"
    case .readInformation: "while reading the device information"
    case .readStatus: "while reading the status"
    case .subscribe: "while subscribing to the status"
    case .pair: "while pairing"
    case .sendSSID: "while sending the network's name"
    case .sendPassword: "while sending the password"
    case .sendControl: "while starting the device's attempt"
    case .handshake: "while proving the setup code"
    case .request: "while the device answered"
    case .awaitOutcome: "before the device had a result"
    }
  }
}
