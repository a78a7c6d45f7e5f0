import DBus
import DeviceState
import Foundation
import MainLoop
import ProvisioningProtocol
import TestSupport
import Testing

@testable import wifi_provisiond

/// What the doctor makes of what it sees.
@Suite struct DoctorTests {
  private func doctor(
    _ change: (inout Configuration) -> Void = { _ in }
  ) -> Doctor {
    var configuration = Configuration()
    configuration.stateFolder = "/nowhere"
    change(&configuration)
    return Doctor(configuration: configuration)
  }

  // MARK: The machine

  private func withRoot(_ files: [String: String], _ body: (String) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    for (path, text) in files {
      let file = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    try body(root.path)
  }

  @Test(arguments: [
    ("1", "0", "rfkill unblock wifi"), ("0", "1", "Turn the switch on"),
    ("1", "1", "Turn the switch on"),
  ]) func aRadioThatIsOffIsNamed(soft: String, hard: String, advice: String) throws {
    let folder = "sys/class/rfkill/"
    try withRoot([
      folder + "rfkill0/type": "wlan\n", folder + "rfkill0/name": "phy0\n",
      folder + "rfkill0/soft": soft + "\n", folder + "rfkill0/hard": hard + "\n",
      folder + "rfkill1/type": "bluetooth\n", folder + "rfkill1/name": "hci0\n",
      folder + "rfkill1/soft": "0\n", folder + "rfkill1/hard": "0\n",
      folder + "rfkill2/type": "gps\n", folder + "rfkill2/soft": "1\n",
    ]) { root in
      let findings = Doctor(configuration: Configuration(), root: root).radioSwitches
      #expect(findings.count == 1)
      #expect(findings[0].level == .error)
      #expect(findings[0].text.contains("Wi-Fi (phy0)"))
      #expect(findings[0].advice?.contains(advice) == true)
    }
  }

  @Test func withoutSwitchesNothingIsOff() {
    let findings = Doctor(configuration: Configuration(), root: "/nowhere").radioSwitches
    #expect(findings.map(\.level) == [.ok])
  }

  @Test func theSetupCodeIsLookedAt() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let doctor = doctor { $0.stateFolder = path }
    #expect(doctor.setupCode.level == .ok)
    let folder = try StateFolder(path, create: true)
    #expect(doctor.setupCode.text.contains("no setup code yet"))
    let id = try #require(DeviceID("0123456789ab"))
    try folder.save(StoredCode(SetupCode.random(), device: id, keepsCode: true))
    #expect(doctor.setupCode.text.contains("There is a setup code"))
    try folder.save(wrongGuesses: 5)
    #expect(doctor.setupCode.level == .warning)
    #expect(doctor.setupCode.advice?.contains("wifi-provisiond open") == true)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: path + "/setup-code")
    #expect(doctor.setupCode.level == .error)
    #expect(doctor.setupCode.text.contains("others than its owner"))
    // Which is no matter where no code is asked for.
    let open = self.doctor {
      $0.stateFolder = path
      $0.security = .open
    }
    #expect(open.setupCode.level == .ok)
    #expect(open.configured.level == .warning)
  }

  @Test func aClockInThePastIsTold() {
    #expect(Doctor.clock(0).level == .warning)
    #expect(Doctor.clock(1_800_000_000).level == .ok)
  }

  // MARK: Bluetooth

  @Test(arguments: [
    ((5, 66), "6.1.0-18-amd64", Finding.Level.ok), ((5, 49), "6.1.0", .error),
    ((5, 50), "6.1.0", .warning), ((5, 86), "6.12.93+rpt-rpi-v8", .warning),
    ((5, 86), "6.12.92+rpt-rpi-v8", .ok), ((5, 87), "6.12.93+rpt-rpi-v8", .ok),
    ((5, 82), "6.18.34+rpt", .warning), ((5, 82), "6.18.37+rpt", .ok), ((5, 82), "odd", .ok),
  ]) func knownBreakagesAreToldByVersion(
    version: (Int, Int), kernel: String, level: Finding.Level
  ) {
    #expect(Doctor.bluetooth(version: version, kernel: kernel).level == level)
  }

  private func adapter(
    roles: [String]? = ["central", "peripheral"], free: UInt8? = 4, active: UInt8 = 0
  ) -> [String: Doctor.Properties] {
    var interfaces: [String: Doctor.Properties] = [
      "org.bluez.Adapter1": ["Powered": .boolean(true)]
    ]
    if let roles { interfaces["org.bluez.Adapter1"]?["Roles"] = .strings(roles) }
    if let free {
      interfaces["org.bluez.LEAdvertisingManager1"] = [
        "SupportedInstances": .byte(free), "ActiveInstances": .byte(active),
      ]
    }
    return interfaces
  }

  @Test func anAdapterThatCannotAdvertiseIsTold() {
    let doctor = doctor()
    func levels(
      _ adapters: [String: [String: Doctor.Properties]], isAdvertising: Bool = false
    ) -> [Finding.Level] {
      doctor.adapter(adapters, isAdvertising: isAdvertising).map(\.level)
    }
    #expect(levels([:]) == [.error])
    #expect(levels(["hci0": adapter()]) == [.ok, .ok])
    #expect(levels(["hci0": adapter(roles: nil)]) == [.ok, .ok])
    #expect(levels(["hci0": adapter(roles: ["central"])]) == [.error])
    #expect(levels(["hci0": adapter(free: nil)]) == [.error])
    // The first that can, as the daemon takes it.
    #expect(levels(["hci0": adapter(free: nil), "hci1": adapter()]) == [.ok, .ok])
    #expect(levels(["hci0": adapter(free: 0, active: 1)]) == [.ok, .error])
    #expect(levels(["hci0": adapter(free: 0, active: 1)], isAdvertising: true) == [.ok, .ok])
    let named = self.doctor { $0.adapter = "hci1" }
    #expect(named.adapter(["hci0": adapter()], isAdvertising: false)[0].text.contains("hci1"))
  }

  @Test func settingsInTheWayAreTold() throws {
    try withRoot([
      "main.conf": "[General]\nControllerMode = bredr\nAlwaysPairable = true\n",
      "usual.conf": "[General]\n#ControllerMode = dual\n[Policy]\nAutoEnable=true\n",
      "broken.conf": "[General\n",
    ]) { root in
      let doctor = doctor()
      #expect(doctor.settings(root + "/main.conf").map(\.level) == [.error, .warning])
      #expect(doctor.settings(root + "/usual.conf").map(\.level) == [.ok])
      #expect(doctor.settings(root + "/broken.conf").map(\.level) == [.warning])
      let link = self.doctor { $0.security = .link }
      #expect(link.settings(root + "/usual.conf").map(\.level) == [.warning])
    }
  }

  // MARK: Wi-Fi

  @Test func networkManagersSwitchesAreTold() {
    let on: Doctor.Properties = [
      "Version": .string("1.42.4"), "NetworkingEnabled": .boolean(true),
      "WirelessEnabled": .boolean(true), "WirelessHardwareEnabled": .boolean(true),
    ]
    #expect(Doctor.networkManager(on) == .ok(.networkManager, "NetworkManager 1.42.4 runs"))
    for name in ["NetworkingEnabled", "WirelessEnabled", "WirelessHardwareEnabled"] {
      #expect(Doctor.networkManager(on.merging([name: .boolean(false)]) { $1 }).level == .error)
    }
    let old = Doctor.networkManager(on.merging(["Version": .string("1.22.0")]) { $1 })
    #expect(old.level == .warning)
  }

  @Test func whatPolkitRefusesIsNamed() {
    let prefix = "org.freedesktop.NetworkManager."
    #expect(Doctor.permissions([:]).level == .ok)
    #expect(Doctor.permissions([prefix + "network-control": "yes"]).level == .ok)
    let refused = Doctor.permissions([
      prefix + "network-control": "auth", prefix + "wifi.scan": "no", prefix + "sleep-wake": "no",
    ])
    #expect(refused.level == .error)
    #expect(refused.text.hasSuffix("network-control, wifi.scan"))
  }

  @Test(arguments: [
    (30, [], Finding.Level.ok, ""), (100, [], .ok, ""), (10, [], .error, "managed yes"),
    (20, [], .error, "Install wpasupplicant"), (20, ["fi.w1.wpa_supplicant1"], .error, "rfkill"),
  ]) func aDeviceThatJoinsNothingIsExplained(
    state: UInt32, names: [String], level: Finding.Level, advice: String
  ) {
    let device: Doctor.Properties = ["Interface": .string("wlan0"), "State": .uint32(state)]
    let finding = doctor().wifiDevice([device], busNames: Set(names))
    #expect(finding.level == level)
    #expect(finding.advice?.contains(advice) ?? advice.isEmpty)
    #expect(finding.text.contains("wlan0"))
  }

  @Test func theDeviceIsTheConfiguredOne() {
    let devices: [Doctor.Properties] = [
      ["Interface": .string("wlan0"), "State": .uint32(10)],
      ["Interface": .string("wlan1"), "State": .uint32(30)],
    ]
    #expect(doctor().wifiDevice(devices, busNames: []).text.contains("wlan1"))
    #expect(doctor { $0.interface = "wlan0" }.wifiDevice(devices, busNames: []).level == .error)
    #expect(doctor { $0.interface = "wlan7" }.wifiDevice(devices, busNames: []).level == .error)
    #expect(doctor().wifiDevice([], busNames: []).level == .error)
    let iwd = doctor { $0.interface = "wlan0" }.wifiDevice(devices, busNames: ["net.connman.iwd"])
    #expect(iwd.text.contains("for iwd"))
  }

  @Test func noCountryIsTold() {
    #expect(Doctor.country("00").level == .warning)
    #expect(Doctor.country("").level == .warning)
    #expect(Doctor.country("DE").level == .ok)
  }

  @Test func findingsAreForPeopleAndPrograms() {
    let finding = Finding.warning(.country, "No “country”\n", do: "Set it.")
    #expect(finding.description == "warning  No “country”\\u{a}\n         → Set it.\n")
    #expect(
      finding.json
        == #"{"check":"country","level":"warning","text":"No “country”\n","advice":"Set it."}"#
        + "\n")
  }
}
