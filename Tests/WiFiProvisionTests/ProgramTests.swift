import BluetoothLE
import DBus
import Foundation
import MainLoop
import ProvisioningProtocol
import RadioSimulator
import TestSupport
import Testing

@testable import wifi_provision

/// The program as a person calls it, in a simulated room.
@Suite(.timeLimit(.minutes(1)))
struct ProgramTests {
  private static let kitchen = "0123456789ab"

  /// Runs `body` in a room where the program finds the adapter `hci1`.
  private func inRoom(
    _ scenario: Scenario = Scenario(), pairing: PairingMethod? = nil,
    _ body: @escaping @Sendable (TestDevice, _ bus: String) async throws -> Void
  ) async throws {
    try await onPrivateBus { loop, bus in
      let simulator = RadioSimulator(scenario, busAddress: bus.address, loop: loop)
      try await simulator.start()
      let connection = try await Connection.open(.address(bus.address), loop: loop)
      let manager = PeripheralManager(
        connection: connection, adapter: .named("hci0"), pairing: pairing)
      do {
        try await body(TestDevice(manager), bus.address)
        await manager.stop()
      } catch {
        await manager.stop()
        throw error
      }
      await connection.close()
      await simulator.stop()
    }
  }

  private func run(
    _ arguments: String..., bus: String, input: String = ""
  ) throws -> RunningProgram {
    try RunningProgram(["--adapter", "hci1"] + arguments, bus: bus, input: input)
  }

  private func expectSchema(_ lines: [String]) throws {
    let schema = try JSONSchema.events()
    #expect(!lines.isEmpty)
    for line in lines { try schema.check(line) }
    #expect(lines.last?.contains(#""event":"result""#) == true)
  }

  // MARK: No Bluetooth

  @Test func withoutABusItSaysSo() async throws {
    let program = try run("scan", "--json", bus: "unix:path=/nonexistent")
    #expect(try await program.status() == 3)
    try expectSchema(program.lines)
    #expect(program.lines.last?.contains(#""reason":"no-bus""#) == true)
  }

  @Test func withoutBlueZItSaysSo() async throws {
    try await onPrivateBus { _, bus in
      let program = try run("info", Self.kitchen, "--json", bus: bus.address)
      #expect(try await program.status() == 3)
      #expect(program.lines.last?.contains(#""reason":"no-bluetooth-service""#) == true)
    }
  }

  @Test(arguments: [
    ("no-adapter", SimulatedAdapter(0)), ("adapter-off", SimulatedAdapter(1, isPowered: false)),
    ("adapter-unsupported", SimulatedAdapter(1, hasLowEnergy: false)),
  ])
  func withoutAUsableAdapterItSaysSo(_ reason: String, _ adapter: SimulatedAdapter) async throws {
    try await inRoom(Scenario(adapters: [adapter])) { _, bus in
      let program = try run("status", Self.kitchen, "--json", bus: bus)
      #expect(try await program.status() == 3)
      try expectSchema(program.lines)
      #expect(program.lines.last?.contains(#""reason":"\#(reason)""#) == true)
    }
  }

  // MARK: Scan

  @Test func scanShowsADeviceWithinASecond() async throws {
    try await inRoom { device, bus in
      let program = try run("scan", "--timeout", "20", bus: bus)
      // The heading stands once the scan runs.
      try await program.output(containing: "DEVICE ID")
      try await device.start()
      let began = ContinuousClock.now
      try await program.output(containing: Self.kitchen)
      #expect(began.duration(to: .now) < .seconds(1))
      program.send(SIGINT)
      #expect(try await program.status() == 130)
    }
  }

  @Test(arguments: [[], [0x57, 0x50], [0x57, 0x50, 1, 0, 1, 2], [1, 2, 3, 4]] as [[UInt8]])
  func scanIgnoresOthersUseOfTheService(_ serviceData: [UInt8]) async throws {
    try await inRoom { device, bus in
      try await device.start(serviceData: serviceData)
      let program = try run("scan", "--timeout", "1", "--json", bus: bus)
      #expect(try await program.status() == 0)
      try expectSchema(program.lines)
      #expect(program.lines.count == 1)
    }
  }

  // MARK: One device

  @Test func informationIsShownByIDNameAndAddress() async throws {
    try await inRoom { device, bus in
      try await device.start()
      for name in [Self.kitchen, "Kitchen", "00:aa:01:00:00:00"] {
        let program = try run("info", name, "--json", bus: bus)
        #expect(try await program.status() == 0)
        try expectSchema(program.lines)
        #expect(program.lines.contains { $0.contains(#""event":"information""#) })
      }
    }
  }

  @Test(
    arguments: [
      [], [0xA0], Array(repeating: 0, count: 501), Array(repeating: 0x81, count: 500),
    ] as [[UInt8]])
  func informationThatCannotBeReadIsAClearError(_ information: [UInt8]) async throws {
    try await inRoom { device, bus in
      try await device.start(information: information)
      let program = try run("info", Self.kitchen, "--json", bus: bus)
      #expect(try await program.status() == 5)
      try expectSchema(program.lines)
      #expect(program.lines.last?.contains(#""reason":"not-understood""#) == true)
    }
  }

  @Test func aDeviceThatIsNotThereIsSearchedForAsLongAsAsked() async throws {
    try await inRoom { device, bus in
      try await device.start()
      let program = try run("status", "0123456789ac", "--timeout", "1", bus: bus)
      #expect(try await program.status() == 4)
      // Who is there is named.
      #expect(program.errors.contains(Self.kitchen))
    }
  }

  // MARK: Connect

  @Test func thePasswordGoesToTheDeviceAndNowhereElse() async throws {
    try await inRoom { device, bus in
      try await device.start()
      let program = try run(
        "connect", Self.kitchen, "--ssid", "Home", "--password-stdin", "--insecure", "--json",
        bus: bus, input: "correct horse\n")
      await device.request()
      try await device.notify(ProvisioningStatus(state: .authenticating, attempt: 1))
      try await device.notify(
        ProvisioningStatus(
          state: .connected, connectivity: .full, attempt: 1, ipv4: IPv4Address("192.0.2.7"),
          rssi: -50))
      #expect(try await program.status() == 0)
      try expectSchema(program.lines)
      #expect(program.lines.last?.contains(#""outcome":"connected""#) == true)
      #expect(
        device.written == [
          Array("Home".utf8), Array("correct horse".utf8), [0x01],
        ])
      #expect(!(program.lines.joined() + program.errors).contains("correct"))
      await device.disconnection()
    }
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func aSignalStopsTheDeviceAndDisconnects(_ signal: Int32, _ status: Int32) async throws {
    try await inRoom { device, bus in
      try await device.start()
      let program = try run(
        "connect", Self.kitchen, "--ssid", "Home", "--open", "--insecure", bus: bus)
      await device.request()
      program.send(signal)
      #expect(try await program.status() == status)
      await device.disconnection()
      // Connect, and then cancel.
      #expect(device.written.suffix(2) == [[0x01], [0x02]])
    }
  }

  // MARK: Setup code

  @Test func theSetupCodeDoesNotStayInTheListOfProcesses() async throws {
    let label = "wifiprov:1?id=\(Self.kitchen)&code=314159266"
    for arguments in [
      [Self.kitchen, "--code", "314-159-266"], [Self.kitchen, "--code=314-159-266"], [label],
    ] {
      try await inRoom { _, bus in
        // Nobody is there, so it searches until it is stopped.
        let program = try RunningProgram(
          ["--adapter", "hci1", "status"] + arguments, bus: bus)
        try await program.errors(containing: "searching")
        let shown = try program.commandLine
        #expect(shown.contains("status"))
        #expect(!shown.contains("159"))
        program.send(SIGTERM)
        #expect(try await program.status() == 143)
        #expect(!(program.lines.joined() + program.errors).contains("159"))
      }
    }
  }

  @Test func theRiskOfPlainWritesIsNamed() async throws {
    try await inRoom { device, bus in
      try await device.start()
      let program = try run(
        "connect", Self.kitchen, "--ssid", "Home", "--open", "--insecure", bus: bus)
      await device.request()
      #expect(program.errors.contains("everybody in reach can read"))
      program.send(SIGTERM)
      #expect(try await program.status() == 143)
    }
  }

  @Test(arguments: [true, false]) func thePasskeyIsAskedForOnTheTerminal(isRight: Bool) async throws
  {
    try await inRoom(pairing: .passkey) { device, bus in
      try await device.start(permissions: .writeAuthenticationRequired)
      let terminal = try PseudoTerminal(
        ["--adapter", "hci1", "connect", Self.kitchen, "--ssid", "Home", "--open", "--insecure"],
        bus: bus)
      try await terminal.shows("Passkey that the device shows: ")
      #expect(terminal.shown.contains("sent over a paired link"))
      let shown = try #require(await device.passkey())
      let other = try #require(Passkey(rawValue: (shown.rawValue + 1) % 1_000_000))
      try terminal.type("\(isRight ? shown : other)\n")
      if isRight {
        await device.request()
        #expect(device.written == [Array("Home".utf8), [1]])
        try terminal.type("\u{03}")
        #expect(try await terminal.status() == 130)
      } else {
        #expect(try await terminal.status() == 6)
        #expect(terminal.shown.contains("did not pair"))
        #expect(device.written.isEmpty)
      }
    }
  }

  @Test func controlCAtThePasskeyEndsTheCommand() async throws {
    try await inRoom(pairing: .passkey) { device, bus in
      try await device.start(permissions: .writeAuthenticationRequired)
      let terminal = try PseudoTerminal(
        ["--adapter", "hci1", "connect", Self.kitchen, "--ssid", "Home", "--open", "--insecure"],
        bus: bus)
      try await terminal.shows("Passkey that the device shows: ")
      try terminal.type("12\u{03}")
      #expect(try await terminal.status() == 130)
      #expect(device.written.isEmpty)
    }
  }

  @Test func aDeviceThatTakesOnlyPlainWritesIsNotGivenThem() async throws {
    try await inRoom { device, bus in
      try await device.start()
      let program = try run(
        "connect", Self.kitchen, "--ssid", "Home", "--code-stdin", "--password-stdin", "--json",
        bus: bus, input: "314-159-266\ncorrect horse\n")
      #expect(try await program.status() == 6)
      try expectSchema(program.lines)
      #expect(program.lines.last?.contains(#""reason":"insecure-only""#) == true)
      #expect(program.lines.last?.contains("--insecure") == true)
      #expect(device.written.isEmpty)
    }
  }
}
