import MainLoop
import RadioSimulator
import Testing

extension Stage {
  static let home = SimulatedAccessPoint(
    name: "home", ssid: Array("Home".utf8), security: .wpa2, password: "correct horse battery")
  /// Where a station waits for an address, so that a test has time to interfere.
  static let mute = SimulatedAccessPoint(
    name: "mute", ssid: Array("Mute".utf8), security: .wpa2, password: "correct horse battery",
    hasDHCP: false)
  /// A scale of time that gives an attempt on it some seconds.
  static let slow = 0.15
  static let room = Scenario(accessPoints: [home, mute])

  /// Starts to have the board join a network.
  func connect(to ssid: String, adapter: String = "hci1") throws -> RunningProgram {
    try laptop(
      ["connect", "{device}", "--code", "{code}", "--ssid", ssid, "--password-stdin"],
      input: "correct horse battery", adapter: adapter)
  }

  /// Has the board join its network, which has to work.
  func provision(_ board: RunningProgram, adapter: String = "hci1") async throws {
    let laptop = try connect(to: "Home", adapter: adapter)
    #expect(
      await laptop.end() == .exited(status: 0), "\(laptop.transcript)\n\(board.transcript)")
  }

  /// Starts to have the board join the mute network, and returns while it waits for an address.
  func startLongAttempt(adapter: String = "hci1") async throws -> RunningProgram {
    let laptop = try connect(to: "Mute", adapter: adapter)
    let event = await laptop.event { $0.state == "obtaining-address" }
    try #require(event != nil, "\(laptop.transcript)")
    return laptop
  }

  /// Waits until the board's attempt on the mute network has failed; it goes on without a link.
  func waitForAttempt(of board: RunningProgram) async {
    #expect(await board.says("failed: no-address"), "\(board.transcript)")
  }

  /// Waits for a program's end, which has to be this.
  func expect(
    _ program: RunningProgram, endsWith status: Int32, beside board: RunningProgram? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let end = await program.end()
    #expect(
      end == .exited(status: status), "\(program.transcript)\n\(board?.transcript ?? "")",
      sourceLocation: sourceLocation)
  }
}
