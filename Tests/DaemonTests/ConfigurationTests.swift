import BluetoothLE
import Foundation
import KeyFile
import ProvisioningAgent
import ProvisioningProtocol
import Testing

@testable import wifi_provisiond

private func configuration(_ text: String) throws -> Configuration {
  try Configuration(try KeyFile(contents: Array(text.utf8), file: "c.conf"))
}

private func problems(_ text: String) throws -> [String] {
  try #require(throws: ConfigurationError.self) { try configuration(text) }
    .problems.map(\.description)
}

@Suite struct ConfigurationTests {
  @Test func withoutAFileTheSetupCodeIsAskedFor() throws {
    #expect(try configuration("") == Configuration())
    #expect(Configuration().security == .code)
  }

  @Test func everyKeyIsRead() throws {
    let found = try configuration(
      """
      [provisioning]
      mode = unprovisioned
      offline-after = 90
      window = 600
      ethernet = false
      security = open
      pairing = passkey
      code-storage = verifier
      state-folder = /data/state
      [device]
      name = Küche
      model = Board 3
      firmware = 1.4
      id = 0123456789aB
      led = green:status
      [bluetooth]
      adapter = hci1
      [wifi]
      interface = wlan0
      """)
    #expect(
      found.opening
        == OpeningPolicy(
          mode: .unprovisioned, offlineAfter: .seconds(90), window: .seconds(600),
          countsOtherConnections: false))
    #expect(found.security == .open)
    #expect(found.pairing == .passkey)
    #expect(found.codeStorage == .verifier)
    #expect(found.stateFolder == "/data/state")
    #expect(found.name == "Küche")
    #expect(found.model == "Board 3")
    #expect(found.firmware == "1.4")
    #expect(found.id == DeviceID("0123456789ab"))
    #expect(found.led == "green:status")
    #expect(found.adapter == "hci1")
    #expect(found.interface == "wlan0")
  }

  @Test func everyProblemIsNamedWithItsPlace() throws {
    #expect(
      try problems("[provisioning]\nsecurity=none\n[device]\nnmae=x\nid=12\n[blue]\n") == [
        "c.conf:2: [provisioning] security: expected code, link, open",
        "c.conf:4: [device] nmae: unknown key",
        "c.conf:5: [device] id: expected 12 hexadecimal digits",
        "c.conf:6: [blue]: unknown group",
      ])
  }

  @Test(arguments: [
    "[provisioning]\npairing=pin", "[provisioning]\ncode-storage=hash",
    "[provisioning]\nmode=off", "[provisioning]\noffline-after=-1",
    "[provisioning]\nwindow=5m", "[provisioning]\nwindow=86401",
    "[provisioning]\nethernet=2", "[provisioning]\nstate-folder=state", "[device]\nhooks=hooks",
    "[provisioning]\nstate-folder=", "[device]\nname=", "[device]\nname=a\tb",
    "[device]\nled=", "[device]\nled=.", "[device]\nled=..", "[device]\nled=a/b",
    "[device]\nled=/sys", "[device]\nled=a\tb", "[bluetooth]\nadapter=usb0",
    "[bluetooth]\nadapter=hci", "[wifi]\ninterface=a/b", "[wifi]\ninterface=abcdefghijklmnop",
  ])
  func valuesThatCannotBeAreRefused(text: String) throws {
    #expect(try problems(text).count == 1)
  }

  @Test func aFileThatWasNamedHasToBeThere() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try Configuration(path: "/nonexistent/c.conf")
    }
    #expect(error.problems.map(\.description) == ["/nonexistent/c.conf: no such file"])
  }
}

@Suite struct IdentityTests {
  private let id = DeviceID(bytes: [1, 2, 3, 4, 0xab, 0xcd])

  @Test func theNameTellsBoardsOfOneImageApart() throws {
    let id = try #require(id)
    #expect(Configuration().deviceName(id: id, hostName: "raspberrypi") == "raspberrypi-abcd")
    #expect(Configuration().deviceName(id: id, hostName: nil) == "wifi-abcd")
  }

  @Test func longNamesAreCutBetweenCharacters() throws {
    let id = try #require(id)
    let host = String(repeating: "ü", count: 20)
    let name = Configuration().deviceName(id: id, hostName: host)
    #expect(name == String(repeating: "ü", count: 12) + "-abcd")
    var configuration = Configuration()
    configuration.name = String(repeating: "ü", count: 20)
    #expect(configuration.deviceName(id: id) == String(repeating: "ü", count: 14))
  }

  @Test func theConfiguredIDCounts() throws {
    var configuration = Configuration()
    configuration.id = id
    #expect(try configuration.deviceID(paths: []) == id)
  }

  @Test func theMachineIDItselfIsNotTold() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try Data("0123456789abcdef0123456789abcdef\n".utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let found = try Configuration().deviceID(paths: [path])
    #expect(found != DeviceID("0123456789ab"))
    #expect(found == (try Configuration().deviceID(paths: [path])))
  }
}
