import DBus
import Foundation
import Testing

@testable import wifi_provisiond

@Suite struct DaemonStatusTests {
  private let status = DaemonStatus(
    version: "1", deviceID: "0123456789ab", name: "Kitchen", isOpen: true,
    why: "open, for no Wi-Fi network is saved", windowEnd: 100_000, session: "AA:BB",
    bluetooth: "hidden", bluetoothProblem: "no free slot", state: "failed",
    reason: "wrong-password", explanation: "It was wrong. Type it again.", obstacle: "rfkill",
    obstacleExplanation: "It is off. Switch it on.", ssid: Array("Home".utf8),
    triedSSID: [0xff, 0x0a], address: "192.0.2.1")

  @Test func theBusCarriesAllOfIt() {
    let properties = DaemonStatus.fields.map { ($0.name, Value.variant($0.value(status))) }
    #expect(DaemonStatus(Dictionary(uniqueKeysWithValues: properties)) == status)
    for field in DaemonStatus.fields {
      #expect(field.value(status).type.code == "\(field.type)", "\(field.name)")
    }
  }

  /// Another version may have fewer, or others.
  @Test func whatIsMissingOrOfAnotherTypeIsEmpty() {
    #expect(DaemonStatus([:]) == DaemonStatus())
    #expect(DaemonStatus(["Name": .uint32(1), "Ssid": .string("x")]) == DaemonStatus())
  }

  @Test func aPersonReadsWhatItDoesAndWhy() {
    let text = status.text(now: 40_000)
    #expect(
      text == """
        Device        Kitchen (0123456789ab)
        Provisioning  open, for no Wi-Fi network is saved; it closes in 60 s unless it is used
        Bluetooth     hidden: no free slot
        Provisioner   AA:BB
        Wi-Fi         failed ‘Home’, 192.0.2.1
        Obstacle      rfkill: It is off. Switch it on.
        Last failure  ‘\\xff\\x0a’: wrong-password: It was wrong. Type it again.

        """)
  }

  @Test func aProgramReadsTheSame() throws {
    let line = status.json(now: 200_000)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["open"] as? Bool == true)
    #expect(object["closes_in"] as? Int == 0)
    #expect(object["ssid"] as? String == "Home")
    #expect(object["tried"] is NSNull)
    #expect(object["tried_hex"] as? String == "ff0a")
    let nothing = try #require(
      JSONSerialization.jsonObject(with: Data(DaemonStatus().json(now: 0).utf8)) as? [String: Any])
    #expect(nothing.keys == object.keys)
    #expect(nothing["closes_in"] is NSNull)
  }
}
