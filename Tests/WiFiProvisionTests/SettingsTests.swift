import BluetoothLE
import CommandLineOptions
import Provisioner
import ProvisioningProtocol
import Testing

@testable import wifi_provision

struct SettingsTests {
  private func settings(_ arguments: String...) throws -> Settings {
    let request = try Settings.program.parse(arguments.map { Array($0.utf8) })
    guard case .run(let invocation) = request else { throw UsageError("nothing to run") }
    return try Settings(invocation)
  }

  @Test func theCommandsAndTheirOptions() throws {
    let kitchen = DeviceName.name("Kitchen")
    let ssid = try SSID(Array("Home".utf8))
    #expect(try settings("scan").action == .scan)
    #expect(try settings("info", "Kitchen").action == .information(kitchen, nil))
    #expect(try settings("status", "Kitchen").action == .status(kitchen, nil))
    let asked = CodeInput.source(.terminal)
    #expect(try settings("networks", "Kitchen").action == .networks(kitchen, asked))
    #expect(try settings("list", "Kitchen").action == .savedNetworks(kitchen, asked))
    #expect(try settings("cancel", "Kitchen").action == .cancel(kitchen, asked))
    #expect(try settings("identify", "Kitchen").action == .identify(kitchen, asked))
    #expect(
      try settings("forget", "Kitchen", "--ssid", "Home").action == .forget(ssid, kitchen, asked))
    #expect(
      try settings("connect", "Kitchen", "--ssid", "Home").action
        == .connect(kitchen, ssid, .terminal, asked))
    #expect(
      try settings("connect", "Kitchen", "--ssid=Home", "--open", "--insecure").action
        == .connect(kitchen, ssid, nil, nil))
    #expect(
      try settings("connect", "Kitchen", "--ssid-hex", "48:6f:6D 65", "--password-stdin").action
        == .connect(kitchen, ssid, .standardInput, asked))
    #expect(
      try settings("connect", "Kitchen", "--ssid", "Home", "--password-file", "p").action
        == .connect(kitchen, ssid, .file(Array("p".utf8)), asked))
  }

  @Test func theSetupCodeComesFromOnePlace() throws {
    let kitchen = DeviceName.name("Kitchen")
    #expect(
      try settings("status", "Kitchen", "--code", "314-159-266").action
        == .status(kitchen, .argument(Array("314-159-266".utf8))))
    #expect(
      try settings("info", "Kitchen", "--code-file", "f").action
        == .information(kitchen, .source(.file(Array("f".utf8)))))
    #expect(
      try settings("status", "Kitchen", "--code-stdin").action
        == .status(kitchen, .source(.standardInput)))
    let text = "wifiprov:1?id=0123456789ab&code=314159266&name=Kitchen"
    let label = try SetupURI(text.utf8)
    let id = try #require(DeviceID("0123456789ab"))
    #expect(try settings("status", text).action == .status(.id(id), .label(label)))
  }

  @Test func theOptionsOfEveryCommand() throws {
    let plain = try settings("scan")
    #expect(plain.adapter == .any && plain.timeout == nil && !plain.json && !plain.verbose)
    #expect(plain.limits == .standard)
    let given = try settings(
      "--json", "status", "Kitchen", "--adapter", "hci1", "--timeout", "2.5", "-v")
    #expect(given.adapter == .named("hci1"))
    #expect(given.json && given.verbose)
    #expect(given.limits.total == .seconds(2.5))
    #expect(given.limits.search == .seconds(2.5))
  }

  @Test(arguments: [
    ["connect", "Kitchen"], ["connect", "Kitchen", "--ssid", ""],
    ["connect", "Kitchen", "--ssid", "123456789012345678901234567890123"],
    ["connect", "Kitchen", "--ssid", "a", "--ssid-hex", "61"],
    ["connect", "Kitchen", "--ssid-hex", "6"], ["connect", "Kitchen", "--ssid-hex", "6 1"],
    ["connect", "Kitchen", "--ssid-hex", "xy"],
    ["connect", "Kitchen", "--ssid", "a", "--open", "--password-stdin"],
    ["connect", "Kitchen", "--ssid", "a", "--password", "secret"],
    ["connect", "--ssid", "a"], ["info"], ["info", ""], ["info", "a", "b"], [], ["join"],
    ["scan", "--timeout", "0"], ["scan", "--timeout", "nan"], ["scan", "--timeout", "1e9"],
    ["scan", "--adapter", "wlan0"],
    ["status", "a", "--code", "1", "--code-stdin"],
    ["status", "a", "--code-file", "f", "--code", "1"],
    ["status", "wifiprov:1?id=0123456789ab&code=314159266", "--code-stdin"],
    ["status", "wifiprov:1?id=0123456789ab"], ["status", "wifiprov:2?id=0123456789ab"],
    ["connect", "a", "--ssid", "a", "--insecure", "--code-stdin"], ["scan", "--code", "1"],
    ["forget", "a"],
  ])
  func whatIsWrongIsAUsageError(_ arguments: [String]) {
    #expect(throws: UsageError.self) {
      let request = try Settings.program.parse(arguments.map { Array($0.utf8) })
      if case .run(let invocation) = request { _ = try Settings(invocation) }
    }
  }

  @Test func anSSIDOfAnyBytesGoesThrough() throws {
    let bytes: [UInt8] = [0x22, 0xF0, 0x9F, 0x92, 0xA1, 0x00] + Array(repeating: 0xFF, count: 26)
    let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let action = try settings("connect", "Kitchen", "--ssid-hex", hex, "--open", "--insecure")
      .action
    #expect(action == .connect(.name("Kitchen"), try SSID(bytes), nil, nil))
  }

  @Test func theHelpNamesEveryExitStatus() throws {
    guard case .print(let help) = try Settings.program.parse([Array("--help".utf8)]) else {
      Issue.record("no help")
      return
    }
    let lines = help.split(separator: "\n").map { $0.drop { $0 == " " } }
    for code in [0, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 20] {
      #expect(lines.contains { $0.hasPrefix("\(code)  ") }, "\(code)")
    }
  }
}
