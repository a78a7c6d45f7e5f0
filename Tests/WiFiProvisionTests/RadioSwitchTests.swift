import Foundation
import Testing

@testable import wifi_provision

struct RadioSwitchTests {
  private func blocks(_ radios: [(type: String, soft: String, hard: String)]) throws -> Bool {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    for (number, radio) in radios.enumerated() {
      let path = directory.appendingPathComponent("rfkill\(number)")
      try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      for (name, value) in [("type", radio.type), ("soft", radio.soft), ("hard", radio.hard)] {
        try Data("\(value)\n".utf8).write(to: path.appendingPathComponent(name))
      }
    }
    return RadioSwitch.blocksBluetooth(directory: directory.path)
  }

  @Test func onlyABluetoothSwitchCounts() throws {
    #expect(try !blocks([]))
    #expect(try !blocks([("wlan", "1", "1"), ("bluetooth", "0", "0")]))
    #expect(try blocks([("wlan", "0", "0"), ("bluetooth", "1", "0")]))
    #expect(try blocks([("bluetooth", "0", "1")]))
    #expect(!RadioSwitch.blocksBluetooth(directory: "/nonexistent"))
  }
}
