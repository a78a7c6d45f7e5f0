internal import CommandLineOptions
internal import Glibc
internal import KeyFile
internal import MainLoop
internal import RadioSimulator

@main
struct Main {
  private static let beside = Option<[String]>(
    "beside", placeholder: "COMMAND-LINE",
    summary: "Run this too, such as a device's daemon, and stop it at the end",
    expected: "words, with quotation marks around those with blanks",
    convert: { bytes in
      guard let words = words(of: String(decoding: bytes, as: UTF8.self)), !words.isEmpty
      else { return nil }
      return words
    })

  private static let program = Program(
    name: "radio-simulator", version: "0.1.0",
    summary: """
      Plays BlueZ and NetworkManager on a private bus for the room that SCENARIO describes.

      With COMMAND, runs it with DBUS_SYSTEM_BUS_ADDRESS set and ends with it. Without, prints
      the variable's assignment and stays until it is told to stop.
      """,
    options: [beside], operands: ["SCENARIO"], trailing: "COMMAND",
    epilogue: """
      The room has the adapters hci0 and hci1 where SCENARIO names no others: one for a board, one
      for a laptop, and the programs are told which to use.

      Exit status:
        0    COMMAND succeeded, or the simulator was told to stop
        1    the bus or COMMAND cannot be started, or SCENARIO is wrong
        2    wrong usage
        n    COMMAND's status; 128 and the number of the signal that killed it
      """)

  static func main() {
    let invocation = program.parseOrExit()
    let path = String(decoding: invocation.operands.first ?? [], as: UTF8.self)
    let command = invocation.trailing.map { String(decoding: $0, as: UTF8.self) }
    let scenario: Scenario
    do {
      scenario = try Scenario(path: path)
    } catch {
      fail(error.description)
    }
    let loop = MainLoop()
    exit(
      loop.run { root in
        do {
          let room = try await Room(scenario, loop: root.loop)
          let status = try await room.serve(command, beside: invocation[beside])
          await room.close()
          return status
        } catch {
          complain("\(error)")
          return 1
        }
      })
  }

  private static func fail(_ message: String) -> Never {
    complain(message)
    exit(1)
  }

  private static func complain(_ message: String) {
    write("radio-simulator: \(message)\n", to: STDERR_FILENO)
  }

  static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { _ = Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
