internal import CommandLineOptions

/// What stands on the daemon's command line.
enum Arguments {
  static let config = Option.text(
    "config", placeholder: "FILE",
    summary: "Read FILE and FILE.d/*.conf instead of \(Configuration.defaultPath)")
  static let checkConfig = Option.flag(
    "check-config", summary: "Check the configuration, and end")
  static let verbose = Option.flag("verbose", short: "v", summary: "Log what a developer needs")

  static let run = "run"

  static let program = Program(
    name: "wifi-provisiond", version: version,
    summary: "Lets a phone or a laptop set up this device's Wi-Fi over Bluetooth Low Energy.",
    options: [config, checkConfig, verbose],
    commands: [Command(run, summary: "Runs the daemon until it is told to stop")],
    needsCommand: false,
    epilogue: """
      Signals:
        HUP        read the configuration again
        TERM, INT  stop

      Exit status:
        0   stopped, or the configuration is right
        1   the system bus cannot be used
        2   wrong usage
        78  the configuration is wrong
      """)
}
