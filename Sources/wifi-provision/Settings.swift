internal import BluetoothLE
internal import CommandLineOptions
internal import Provisioner
internal import ProvisioningProtocol

/// What the command line asks for.
struct Settings: Sendable {
  /// What is to be done, and what belongs to it alone.
  enum Action: Sendable, Equatable {
    case scan
    /// Without a code what everybody may hear; so with `status`.
    case information(DeviceName, CodeInput?)
    /// Without a network the one that this machine is in; without a code the writes are plain.
    case connect(DeviceName, NetworkInput?, CodeInput?)
    case status(DeviceName, CodeInput?)
    case networks(DeviceName, CodeInput)
    case savedNetworks(DeviceName, CodeInput)
    case forget(SSID, DeviceName, CodeInput)
    case cancel(DeviceName, CodeInput)
    case identify(DeviceName, CodeInput)
  }

  let action: Action
  let adapter: AdapterSelection
  /// How long the whole command may take; nil where the command's own limits hold.
  let timeout: Duration?
  /// One JSON object a line instead of words.
  let json: Bool
  /// Details on standard error.
  let verbose: Bool
}

extension Settings {
  private static let adapterOption = Option<AdapterSelection>(
    "adapter", placeholder: "ADAPTER", summary: "Use this Bluetooth adapter, such as hci0",
    expected: "a name such as hci0, or an address",
    convert: { AdapterSelection(String(decoding: $0, as: UTF8.self)) })
  private static let timeoutOption = Option<Duration>(
    "timeout", placeholder: "SECONDS", summary: "Give up after this long (see below)",
    expected: "a number of seconds from 0.1 to 86400",
    convert: { bytes in
      guard let seconds = Double(String(decoding: bytes, as: UTF8.self)),
        (0.1...86_400).contains(seconds)
      else { return nil }
      return .seconds(seconds)
    })
  private static let jsonOption = Option.flag("json", summary: "Print one JSON object a line")
  private static let verboseOption = Option.flag(
    "verbose", short: "v", summary: "Tell details on standard error")

  private static let codeOption = Option.bytes(
    "code", placeholder: "CODE", summary: "The device's setup code, for other users to see")
  private static let codeFileOption = Option.bytes(
    "code-file", placeholder: "FILE", summary: "Read the setup code from FILE")
  private static let codeStandardInputOption = Option.flag(
    "code-stdin", summary: "Read the setup code from the first line of standard input")
  private static let codeOptions: [any OptionDeclaration] = [
    codeOption, codeFileOption, codeStandardInputOption,
  ]
  private static let insecureOption = Option.flag(
    "insecure", summary: "Send the password so that everybody in reach can read it")

  /// The program's command line and its help.
  static let program = Program(
    name: "wifi-provision", version: version,
    summary: "Gives a device its Wi-Fi network over Bluetooth Low Energy.",
    options: [adapterOption, timeoutOption, jsonOption, verboseOption],
    commands: [
      Command(
        "scan", summary: "List the devices in reach, each as it appears",
        epilogue: "The scan ends after --timeout, or after \(seconds(scanLimit))."),
      Command(
        "info", summary: "Show what a device says about itself", options: codeOptions,
        operands: ["DEVICE"], epilogue: "\(askingHelp)\n\n\(deviceHelp)"),
      Command(
        "connect", summary: "Have a device join a Wi-Fi network",
        options: networkOptions + codeOptions + [insecureOption],
        operands: ["DEVICE"],
        epilogue: """
          The setup code stands on the device's label. What is not given is asked for on the
          terminal, which does not show the password. One line end after the password is not part
          of it. With --code-stdin and --password-stdin the first line is the setup code, and all
          that follows the password.

          The device finds out what kind of network it is, unless --security says so. A network
          with 802.1X needs --eap, --identity, and --ca-cert or --system-ca and --domain to be
          known by; the password is that of the identity, with tls the passphrase of the key.
          Certificates and keys are PEM or DER. Addresses come by DHCP, and IPv4 is needed, unless
          --ipv4 and --ipv6 say otherwise.

          --use-current-network takes the network that this machine is in, with its password, from
          NetworkManager, which may ask you whether that is right.

          --insecure is for devices that take plain writes. Everybody in reach can then read the
          password, and nobody can tell whether it is your device that takes it. Where the device
          wants a paired link, one is made: then only who is in between meanwhile can do that, and
          nobody where the device shows a passkey, which is asked for on the terminal.

          \(deviceHelp)
          """),
      Command(
        "status", summary: "Show the state of a device's Wi-Fi", options: codeOptions,
        operands: ["DEVICE"], epilogue: "\(askingHelp)\n\n\(deviceHelp)"),
      Command(
        "networks", summary: "List the Wi-Fi networks that a device sees", options: codeOptions,
        operands: ["DEVICE"], epilogue: "\(codeHelp)\n\n\(deviceHelp)"),
      Command(
        "list", summary: "List the Wi-Fi networks that a device keeps", options: codeOptions,
        operands: ["DEVICE"], epilogue: "\(codeHelp)\n\n\(deviceHelp)"),
      Command(
        "forget", summary: "Have a device forget a Wi-Fi network",
        options: [ssidOption, ssidHexOption] + codeOptions, operands: ["DEVICE"],
        epilogue: "\(codeHelp)\n\n\(deviceHelp)"),
      Command(
        "cancel", summary: "Have a device stop its attempt to join", options: codeOptions,
        operands: ["DEVICE"], epilogue: "\(codeHelp)\n\n\(deviceHelp)"),
      Command(
        "identify", summary: "Have a device make itself noticed", options: codeOptions,
        operands: ["DEVICE"], epilogue: "\(codeHelp)\n\n\(deviceHelp)"),
    ],
    epilogue: """
      --timeout is for the whole command. Without it, scan takes \(seconds(scanLimit)), a device is
      searched for \(seconds(Limits.standard.search)), and the device has \(seconds(Limits.standard.session.attempt)) to join its network.

      Exit status:
      \(ExitCode.all.map { "  \(padded($0.rawValue))  \($0.meaning)" }.joined(separator: "\n"))
        128+n  ended by signal n
      """)

  private static let codeHelp = """
    The setup code stands on the device's label. Without one it is asked for on the terminal.
    """
  private static let askingHelp = """
    With the setup code, which stands on its label, the device tells more.
    """
  private static let deviceHelp = """
    DEVICE is a device id (12 hexadecimal digits), a Bluetooth address, an advertised name, or the
    URI on the label (wifiprov:...), which has the setup code in it. Files may hold it, too.
    A name takes \(seconds(Limits.standard.nameSettling)) longer, to see whether two devices bear it.
    """

  /// How long a scan takes that nobody limits.
  static let scanLimit = Duration.seconds(10)

  private static func seconds(_ duration: Duration) -> String {
    "\(duration.components.seconds) seconds"
  }

  private static func padded(_ number: Int32) -> String {
    let digits = String(number)
    return String(repeating: " ", count: max(0, 5 - digits.utf8.count)) + digits
  }

  /// The provisioner's limits for this command.
  var limits: Limits {
    var limits = Limits.standard
    if let timeout {
      limits.search = timeout
      limits.session.attempt = timeout
      limits.total = timeout
    }
    return limits
  }

  /// Takes the values out of a command line that GOption understood.
  ///
  /// - Throws: `UsageError` for values that exclude each other, or that no device would take.
  init(_ invocation: Invocation) throws(UsageError) {
    adapter = invocation[Self.adapterOption] ?? .any
    timeout = invocation[Self.timeoutOption]
    json = invocation[Self.jsonOption]
    verbose = invocation[Self.verboseOption]
    switch invocation.command {
    case "info":
      let (name, code) = try Self.device(invocation)
      action = .information(name, code)
    case "status":
      let (name, code) = try Self.device(invocation)
      action = .status(name, code)
    case "connect":
      let (name, code) = try Self.device(invocation)
      let insecure = invocation[Self.insecureOption]
      if insecure, code != nil {
        throw UsageError(
          "--insecure proves no setup code: give one of them", command: invocation.command)
      }
      action = .connect(
        name, try Self.network(invocation, insecure: insecure),
        insecure ? nil : code ?? .source(.terminal))
    case "networks": action = try Self.proved(invocation) { .networks($0, $1) }
    case "list": action = try Self.proved(invocation) { .savedNetworks($0, $1) }
    case "forget":
      let ssid = try Self.ssid(invocation)
      action = try Self.proved(invocation) { .forget(ssid, $0, $1) }
    case "cancel": action = try Self.proved(invocation) { .cancel($0, $1) }
    case "identify": action = try Self.proved(invocation) { .identify($0, $1) }
    default: action = .scan
    }
  }

  /// The device that is meant, and what gives its setup code where the command line says that.
  private static func device(
    _ invocation: Invocation
  ) throws(UsageError) -> (DeviceName, CodeInput?) {
    guard let bytes = invocation.operands.first,
      let text = String(validating: bytes, as: UTF8.self), let name = DeviceName(text)
    else { throw UsageError("DEVICE is empty or not UTF-8 text", command: invocation.command) }
    var given: [CodeInput] = []
    if let code = invocation[codeOption] { given.append(.argument(code)) }
    if let file = invocation[codeFileOption] { given.append(.source(.file(file))) }
    if invocation[codeStandardInputOption] { given.append(.source(.standardInput)) }
    let label = try label(bytes, invocation)
    if let label { given.append(.label(label)) }
    guard given.count <= 1 else {
      throw UsageError(
        "give the setup code once: in the label's URI or with one option",
        command: invocation.command)
    }
    return (label.map { .id($0.deviceID) } ?? name, given.first)
  }

  /// The URI of a label; nil for a device's name.
  private static func label(
    _ bytes: [UInt8], _ invocation: Invocation
  ) throws(UsageError) -> SetupURI? {
    do throws(SetupURI.FormatError) {
      return try SetupURI(bytes)
    } catch {
      if error == .foreign { return nil }
      throw UsageError(
        "the label's URI cannot be used: \(error.words)", command: invocation.command)
    }
  }

  /// The action of a command that needs the setup code.
  private static func proved(
    _ invocation: Invocation, _ action: (DeviceName, CodeInput) -> Action
  ) throws(UsageError) -> Action {
    let (name, code) = try device(invocation)
    return action(name, code ?? .source(.terminal))
  }

  /// The bytes of a run of hexadecimal digit pairs, which spaces, colons or dashes may separate.
  static func bytes(ofHex text: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var high: UInt8?
    for byte in text {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      case UInt8(ascii: " "), UInt8(ascii: ":"), UInt8(ascii: "-"):
        if high != nil { return nil }
        continue
      default: return nil
      }
      if let first = high {
        result.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? result : nil
  }
}
