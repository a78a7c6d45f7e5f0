import Foundation
import Provisioner
import ProvisioningProtocol
import Testing

@testable import wifi_provision

struct TextReporterTests {
  /// What a reporter writes to standard output and to standard error.
  private func written(
    terminal: Bool, _ body: (TextReporter) throws -> Void
  ) throws -> (output: String, error: String) {
    let (output, error) = (Pipe(), Pipe())
    try body(
      TextReporter(
        output: Output(
          standardOutput: output.fileHandleForWriting.fileDescriptor,
          standardError: error.fileHandleForWriting.fileDescriptor), isTerminal: terminal))
    return (try text(output), try text(error))
  }

  private func text(_ pipe: Pipe) throws -> String {
    try pipe.fileHandleForWriting.close()
    return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }

  private func device() throws -> DeviceSighting {
    let data = ProvisioningAdvertisement(
      state: .notProvisioned, flags: .plainAccepted,
      deviceID: try #require(DeviceID("0123456789ab")))
    let address = try #require(PeerAddress("AA:BB:CC:DD:EE:FF"))
    let heard = Advertisement(
      address: address, name: "\u{1B}[2JKitchen", rssi: -40, serviceData: data.encoded)
    return try #require(DeviceSighting(heard))
  }

  private func wholeJob(_ reporter: TextReporter) throws {
    reporter.progress(.searching(.name("Kitchen")))
    reporter.progress(.found(try device()))
    reporter.progress(.connecting(attempt: 1))
    reporter.progress(.retrying(CentralError(.transient, "le-connection-timeout")))
    reporter.progress(.connecting(attempt: 2))
    reporter.progress(.connected)
    reporter.progress(.sendingCredentials)
    for state in [ProvisioningState.preparing, .authenticating, .failed] {
      reporter.progress(.status(DeviceStatus(ProvisioningStatus(state: state, attempt: 1))))
    }
    reporter.finish(.interrupted(by: 2))
  }

  @Test func elsewhereThanOnATerminalThereAreLinesOnly() throws {
    let (output, error) = try written(terminal: false, wholeJob)
    let lines = output.split(separator: "\n").map { line in
      line.split(separator: " s   ", maxSplits: 1).last.map(String.init) ?? ""
    }
    #expect(
      lines == [
        "Found \\x1b[2JKitchen (0123456789ab, AA:BB:CC:DD:EE:FF, -40 dBm)",
        "No connection: le-connection-timeout; trying again", "Connected over Bluetooth",
        "Sending the network and its password", "Preparing the Wi-Fi", "Authenticating",
      ])
    #expect(error == "wifi-provision: Interrupted.\n")
    #expect(output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
  }

  @Test func onATerminalTheRunningStepIsReplaced() throws {
    let (output, _) = try written(terminal: true, wholeJob)
    #expect(output.hasPrefix("       …   Searching for Kitchen\r\u{1B}[K"))
    // Every line that was begun is replaced by what came of it.
    #expect(output.count(where: { $0 == "…" }) == output.count(where: { $0 == "\r" }))
    #expect(output.hasSuffix("Authenticating\n"))
  }

  @Test func aListOfDevicesIsATable() throws {
    let (output, _) = try written(terminal: false) { reporter in
      reporter.progress(.scanning)
      reporter.sighting(try device())
    }
    #expect(
      output == """
        DEVICE ID     ADDRESS            SIGNAL    STATE                TAKES         NAME
        0123456789ab  AA:BB:CC:DD:EE:FF  -40 dBm   not provisioned      plain         \
        \\x1b[2JKitchen

        """)
  }

  @Test func listsOfNetworksAreTables() throws {
    let ssid = try SSID(Array("My\u{1B}Home".utf8))
    let (seen, _) = try written(terminal: false) { reporter in
      reporter.networks(
        VisibleNetworks(
          networks: [
            VisibleNetwork(
              ssid: ssid, security: .wpaPSK, rssi: -48, accessPointCount: 2, bands: [.two, .five],
              isKnown: true),
            VisibleNetwork(ssid: ssid, security: nil, rssi: -48, accessPointCount: 1),
          ], age: 7, hiddenCount: 3))
    }
    #expect(
      seen == """
        SIGNAL    SECURITY  BAND       POINTS  KNOWN  SSID
        -48 dBm   wpa-psk   2.4, 5     2       yes    My\\x1bHome
        -48 dBm   unknown   -          1       no     My\\x1bHome
        (hidden access points: 3; seen 7 s ago)

        """)
    let (kept, _) = try written(terminal: false) { reporter in
      reporter.savedNetwork(
        SavedNetwork(ssid: ssid, security: nil, isInUse: true, connectsAutomatically: true))
    }
    #expect(
      kept == """
        USE       SECURITY  AUTO    SSID
        in use    unknown   yes     My\\x1bHome

        """)
  }

  @Test func aTimeIsShownInHundredths() {
    #expect(TextReporter.seconds(.milliseconds(1_256)) == "  1.25 s")
    #expect(TextReporter.seconds(.milliseconds(9)) == "  0.00 s")
    #expect(TextReporter.seconds(.seconds(123)) == "123.00 s")
  }
}
