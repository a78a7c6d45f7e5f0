internal import CommandLineOptions

/// What stands on the daemon's command line.
enum Arguments {
  static let config = Option.text(
    "config", placeholder: "FILE",
    summary: "Read FILE and FILE.d/*.conf instead of \(Configuration.defaultPath)")
  static let state = Option.text(
    "state", placeholder: "FOLDER",
    summary: "Keep the setup code in FOLDER instead of \(Configuration.defaultStateFolder)")
  static let checkConfig = Option.flag(
    "check-config", summary: "Check the configuration, and end")
  static let verbose = Option.flag("verbose", short: "v", summary: "Log what a developer needs")

  static let generate = Option.flag("generate", summary: "Draw a new code")
  static let standardInput = Option.flag("stdin", summary: "Read the code from standard input")
  static let png = Option.text(
    "png", placeholder: "FILE", summary: "Write the QR code to FILE instead of the terminal")
  static let svg = Option.text(
    "svg", placeholder: "FILE", summary: "Write the label to FILE instead of the terminal")

  static let json = Option.flag("json", summary: "Write one JSON object, for programs")
  static let length = Option.integer(
    "for", placeholder: "SECONDS",
    summary: "Stay open unused for SECONDS, 0 for ever, instead of as is configured",
    in: 0...Configuration.longestWindow)

  static let run = "run"
  static let setCode = "set-code"
  static let label = "label"
  static let status = "status"
  static let open = "open"
  static let close = "close"
  static let identify = "identify"
  static let forget = "forget"
  static let doctor = "doctor"

  static let program = Program(
    name: "wifi-provisiond", version: version,
    summary: "Lets a phone or a laptop set up this device's Wi-Fi over Bluetooth Low Energy.",
    options: [config, state, checkConfig, verbose],
    commands: [
      Command(run, summary: "Runs the daemon until it is told to stop"),
      Command(
        setCode, summary: "Gives the device another setup code, and shows the label with it",
        options: [generate, standardInput, png, svg], optionalOperand: "CODE",
        epilogue: """
          Without --generate, --stdin and CODE, asks on the terminal. Every user of the system can
          read CODE in the list of processes: prefer the other ways.

          A code has eight digits and a check digit, such as 314-159-266; codes that are guessed
          first are refused. A running daemon takes the new code at once.
          """),
      Command(
        label, summary: "Shows the setup code, as digits and as a QR code",
        options: [png, svg],
        epilogue: """
          The files are made for their owner alone: who reads them knows the setup code.
          With code-storage = verifier the code is not kept and cannot be shown.
          """),
      Command(
        doctor, summary: "Looks for what keeps the device from being provisioned", options: [json],
        epilogue: """
          A line says ok, warning or error; what to do stands below it. With --json, each is an
          object in a line. Changes nothing. Ends with 1 where there is an error.
          """),
      Command(
        status, summary: "Shows what the daemon does, and why", options: [json],
        epilogue: "What is not known, or not there, is null in the JSON object."),
      Command(
        open, summary: "Opens the device to provisioners, and ends the lock-out after wrong codes",
        options: [length]),
      Command(close, summary: "Closes it, until it is opened or a network is lost"),
      Command(identify, summary: "Has the device make itself noticed for some seconds"),
      Command(
        forget, summary: "Removes what is saved of a network", operands: ["SSID"],
        epilogue: "Disconnects from the network, where the device is in it."),
    ],
    needsCommand: false,
    epilogue: """
      ‘status’ and the commands after it ask the daemon that runs; root may, and who polkit
      says may.

      Signals:
        HUP        read the configuration and the setup code again
        USR1       open the device and forgive the wrong setup codes, as ‘open’ does
        TERM, INT  stop

      Exit status:
        0   stopped, done, or the configuration is right
        1   the system bus or a file cannot be used, there is no code to show, or the daemon
            does not run or refuses, or the doctor has found an error
        2   wrong usage
        78  the configuration is wrong, or the setup code cannot be used
      """)
}
