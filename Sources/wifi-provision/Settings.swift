internal import BluetoothLE
internal import CommandLineOptions
internal import Provisioner
internal import ProvisioningProtocol

/// What the command line asks for.
struct Settings: Sendable {
  /// What is to be done, and what belongs to it alone.
  enum Action: Sendable, Equatable {
    case scan
    case information(DeviceName)
    /// Without a source the network has no password.
    case connect(DeviceName, SSID, PasswordSource?)
    case status(DeviceName)
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

  private static let ssidOption = Option.bytes(
    "ssid", placeholder: "SSID", summary: "Name of the Wi-Fi network")
  private static let ssidHexOption = Option<[UInt8]>(
    "ssid-hex", placeholder: "HEX", summary: "The same as hexadecimal digits, for any bytes",
    expected: "pairs of hexadecimal digits", convert: bytes(ofHex:))
  private static let standardInputOption = Option.flag(
    "password-stdin", summary: "Read the Wi-Fi password from standard input")
  private static let fileOption = Option.bytes(
    "password-file", placeholder: "FILE", summary: "Read the Wi-Fi password from FILE")
  private static let openOption = Option.flag("open", summary: "The network has no password")

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
        "info", summary: "Show what a device says about itself", operands: ["DEVICE"],
        epilogue: deviceHelp),
      Command(
        "connect", summary: "Have a device join a Wi-Fi network",
        options: [ssidOption, ssidHexOption, standardInputOption, fileOption, openOption],
        operands: ["DEVICE"],
        epilogue: """
          Without --password-stdin, --password-file and --open the password is asked for on the
          terminal, which does not show it. One line end after the password is not part of it.

          \(deviceHelp)
          """),
      Command(
        "status", summary: "Show the state of a device's Wi-Fi", operands: ["DEVICE"],
        epilogue: deviceHelp),
    ],
    epilogue: """
      --timeout is for the whole command. Without it, scan takes \(seconds(scanLimit)), a device is
      searched for \(seconds(Limits.standard.search)), and the device has \(seconds(Limits.standard.session.attempt)) to join its network.

      Exit status:
      \(ExitCode.all.map { "  \(padded($0.rawValue))  \($0.meaning)" }.joined(separator: "\n"))
        128+n  ended by signal n
      """)

  private static let deviceHelp = """
    DEVICE is a device id (12 hexadecimal digits), a Bluetooth address or an advertised name.
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
    case "info": action = .information(try Self.device(invocation))
    case "connect":
      action = .connect(
        try Self.device(invocation), try Self.ssid(invocation), try Self.password(invocation))
    case "status": action = .status(try Self.device(invocation))
    default: action = .scan
    }
  }

  private static func device(_ invocation: Invocation) throws(UsageError) -> DeviceName {
    guard let bytes = invocation.operands.first,
      let text = String(validating: bytes, as: UTF8.self), let name = DeviceName(text)
    else { throw UsageError("DEVICE is empty or not UTF-8 text", command: invocation.command) }
    return name
  }

  private static func ssid(_ invocation: Invocation) throws(UsageError) -> SSID {
    let bytes: [UInt8]
    switch (invocation[ssidOption], invocation[ssidHexOption]) {
    case (let given?, nil), (nil, let given?): bytes = given
    case (nil, nil): throw UsageError("--ssid is missing", command: invocation.command)
    case (_?, _?):
      throw UsageError("give one of --ssid and --ssid-hex", command: invocation.command)
    }
    do throws(SSID.FormatError) {
      return try SSID(bytes)
    } catch {
      throw UsageError(
        "an SSID has 1 to 32 bytes, this one \(bytes.count)", command: invocation.command)
    }
  }

  private static func password(_ invocation: Invocation) throws(UsageError) -> PasswordSource? {
    let file = invocation[fileOption]
    let given = [invocation[standardInputOption], file != nil, invocation[openOption]]
    guard given.count(where: { $0 }) <= 1 else {
      throw UsageError(
        "give one of --password-stdin, --password-file and --open", command: invocation.command)
    }
    if invocation[openOption] { return nil }
    if invocation[standardInputOption] { return .standardInput }
    if let file { return .file(file) }
    return .terminal
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
