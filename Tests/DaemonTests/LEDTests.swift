import Foundation
import Testing

@testable import wifi_provisiond

/// A LED whose files are plain ones: they keep what is written, and the kernel does nothing.
@Suite struct LEDTests {
  /// A folder like the kernel's, with links to where the LEDs are.
  private struct Board {
    let folder: String
    var leds: String { folder + "/class" }

    func path(_ file: String) -> String { "\(folder)/devices/ACT/\(file)" }

    func contents(of file: String) throws -> String {
      try String(contentsOfFile: path(file), encoding: .utf8)
    }

    func write(_ text: String, to file: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path(file)))
    }
  }

  private func withBoard(
    trigger: String, brightness: String = "0", _ body: (Board) throws -> Void
  ) throws {
    let files = FileManager.default
    let board = Board(
      folder: files.temporaryDirectory.appendingPathComponent(UUID().uuidString).path)
    defer { try? files.removeItem(atPath: board.folder) }
    for folder in [board.path(""), board.leds] {
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    try files.createSymbolicLink(
      atPath: board.leds + "/ACT", withDestinationPath: "../devices/ACT")
    try board.write(trigger + "\n", to: "trigger")
    try board.write(brightness + "\n", to: "brightness")
    try body(board)
  }

  @Test func blinksAndGoesBackToItsTrigger() throws {
    try withBoard(trigger: "none kbd-scrolllock [mmc0] timer heartbeat") { board in
      let restore = try LED("ACT", in: board.leds).begin()
      #expect(try board.contents(of: "trigger") == "timer")
      try board.write("255\n", to: "brightness")
      try restore()
      #expect(try board.contents(of: "trigger") == "mmc0")
      // To the kernel, a 0 would mean that there is to be no trigger.
      #expect(try board.contents(of: "brightness") == "255\n")
    }
  }

  @Test func withoutATriggerTheBrightnessComesBack() throws {
    try withBoard(trigger: "[none] timer", brightness: "128") { board in
      let restore = try LED("ACT", in: board.leds).begin()
      try board.write("0\n", to: "brightness")
      try restore()
      #expect(try board.contents(of: "trigger") == "none")
      #expect(try board.contents(of: "brightness") == "128")
    }
  }

  @Test func aLEDThatBlinksAnywayBlinksFaster() throws {
    try withBoard(trigger: "none [timer]") { board in
      try board.write("900\n", to: "delay_on")
      try board.write("50\n", to: "delay_off")
      let restore = try LED("ACT", in: board.leds).begin()
      #expect(try board.contents(of: "delay_on") == "100")
      #expect(try board.contents(of: "delay_off") == "100")
      try restore()
      #expect(try board.contents(of: "trigger") == "timer")
      #expect(try board.contents(of: "delay_on") == "900")
      #expect(try board.contents(of: "delay_off") == "50")
    }
  }

  @Test func whatIsThereIsNamed() throws {
    try withBoard(trigger: "[none] timer") { board in
      let failure = try #require(throws: LED.Failure.self) { try LED("PWR", in: board.leds) }
      #expect(
        failure.message == "LED ‘PWR’: trigger: No such file or directory; there are ACT")
      let nowhere = try #require(throws: LED.Failure.self) { try LED("ACT", in: "/nonexistent") }
      #expect(nowhere.message.hasSuffix("there are no LEDs"))
    }
  }

  @Test func whatCannotBeWrittenComesWithTheRealPath() throws {
    try withBoard(trigger: "[none] timer") { board in
      try FileManager.default.removeItem(atPath: board.path("brightness"))
      let failure = try #require(throws: LED.Failure.self) { try LED("ACT", in: board.leds) }
      let real = try #require(realpath(board.folder, nil).map { String(cString: $0) })
      #expect(failure.message.contains("ReadWritePaths=\(real)/devices/ACT in the unit"))
    }
  }

  @Test func aKernelThatCannotBlinkIsNamed() throws {
    try withBoard(trigger: "[none] heartbeat") { board in
      let failure = try #require(throws: LED.Failure.self) { try LED("ACT", in: board.leds) }
      #expect(failure.message.contains("ledtrig-timer"))
    }
  }

  @Test func aListWithoutAnActiveTriggerIsNotTouched() throws {
    try withBoard(trigger: "none timer") { board in
      let led = try LED("ACT", in: board.leds)
      #expect(throws: LEDFiles.Failure(reason: "no trigger is the active one")) {
        _ = try led.begin()
      }
      #expect(try board.contents(of: "trigger") == "none timer\n")
    }
  }
}
