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
    let home = NetworkDescription(ssid: ssid)
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
        == .connect(kitchen, NetworkInput(home, password: .terminal), asked))
    #expect(
      try settings("connect", "Kitchen", "--ssid=Home", "--open", "--insecure").action
        == .connect(kitchen, NetworkInput(home, password: nil), nil))
    #expect(
      try settings("connect", "Kitchen", "--ssid-hex", "48:6f:6D 65", "--password-stdin").action
        == .connect(kitchen, NetworkInput(home, password: .standardInput), asked))
    #expect(
      try settings("connect", "Kitchen", "--ssid", "Home", "--password-file", "p").action
        == .connect(kitchen, NetworkInput(home, password: .file(Array("p".utf8))), asked))
    #expect(
      try settings("connect", "Kitchen", "--use-current-network").action
        == .connect(kitchen, nil, asked))
  }

  private func network(_ arguments: String...) throws -> NetworkInput {
    let request = try Settings.program.parse(
      (["connect", "Kitchen", "--ssid", "Home"] + arguments).map { Array($0.utf8) })
    guard case .run(let invocation) = request,
      case .connect(_, let network?, _) = try Settings(invocation).action
    else { throw UsageError("nothing to join") }
    return network
  }

  @Test func theKindsOfNetwork() throws {
    let ssid = try SSID(Array("Home".utf8))
    let names = ["auto", "open", "owe", "wpa-psk", "sae"]
    for name in names {
      let given = try network("--security", name)
      #expect(given.network.security == NetworkSecurity(rawValue: name))
      #expect(given.password == (["open", "owe"].contains(name) ? nil : .terminal))
    }
    #expect(
      try network("--hidden", "--priority", "-5", "--open")
        == NetworkInput(
          NetworkDescription(ssid: ssid, isHidden: true, priority: -5), password: nil))
    let enterprise = try network(
      "--security", "wpa-eap", "--eap", "ttls", "--identity", "someone", "--anonymous-identity",
      "anonymous", "--phase2", "pap", "--system-ca", "--domain", "example.org",
      "--password-stdin")
    #expect(
      enterprise
        == NetworkInput(
          NetworkDescription(
            ssid: ssid, security: .wpaEAP,
            enterprise: EnterpriseCredentials(
              method: .ttls, identity: "someone", anonymousIdentity: "anonymous", phase2: .pap,
              domainSuffix: "example.org", usesSystemCAs: true)),
          password: .standardInput))
    let certificate = try network(
      "--eap", "tls", "--identity", "board", "--ca-cert", "ca", "--client-cert", "cert", "--key",
      "key")
    // The passphrase is asked for where the key needs one.
    #expect(certificate.password == nil)
    #expect(certificate.caCertificate == Array("ca".utf8))
    #expect(certificate.clientCertificate == Array("cert".utf8))
    #expect(certificate.clientKey == Array("key".utf8))
    let careless = try network(
      "--eap", "peap", "--identity", "someone", "--no-server-validation")
    #expect(careless.network.enterprise?.skipsValidation == true)
    #expect(careless.password == .terminal)
  }

  @Test func theAddresses() throws {
    let both = try network(
      "--ipv4", "192.0.2.7/24", "--gateway", "192.0.2.1,fe80::1", "--dns",
      "192.0.2.1,2001:db8::53,198.51.100.53", "--ipv6", "2001:db8::7/64"
    ).network
    #expect(
      both.ipv4
        == .manual(
          ManualAddress(
            address: try #require(IPv4Address("192.0.2.7")), prefixLength: 24,
            gateway: IPv4Address("192.0.2.1"),
            dns: try [#require(IPv4Address("192.0.2.1")), #require(IPv4Address("198.51.100.53"))])))
    #expect(
      both.ipv6
        == .manual(
          ManualAddress(
            address: try #require(IPv6Address("2001:db8::7")), prefixLength: 64,
            gateway: IPv6Address("fe80::1"), dns: [try #require(IPv6Address("2001:db8::53"))])))
    #expect(try network("--ipv4", "optional", "--ipv6", "off").network.ipv4 == .optional)
    #expect(try network("--ipv4", "off").network.ipv4 == .off)
    #expect(try network("--ipv6", "off").network.ipv6 == .off)
    #expect(try network("--ipv4", "auto", "--ipv6", "auto").network.ipv4 == .automatic)
  }

  @Test(arguments: [
    ["--security", "wep"], ["--security", "wpa-eap"], ["--security", "open", "--password-stdin"],
    ["--security", "sae", "--open"], ["--eap", "md5"], ["--eap", "peap", "--identity", "a"],
    ["--eap", "peap", "--ca-cert", "f"], ["--identity", "a"], ["--ca-cert", "f"], ["--key", "f"],
    ["--system-ca"], ["--no-server-validation"], ["--phase2", "pap"],
    ["--eap", "peap", "--identity", "a", "--ca-cert", "f", "--open"],
    ["--ipv4", "192.0.2.7"], ["--ipv4", "192.0.2.7/"], ["--ipv4", "192.0.2.7/x"],
    ["--ipv4", "2001:db8::7/64"], ["--ipv6", "192.0.2.7/24"], ["--ipv6", "optional"],
    ["--gateway", "192.0.2.1"], ["--dns", "192.0.2.1"], ["--dns", "router"], ["--dns", ""],
    ["--ipv4", "192.0.2.7/24", "--gateway", "fe80::1"],
    ["--ipv4", "192.0.2.7/24", "--gateway", "192.0.2.1,192.0.2.2"],
    ["--priority", "1000"], ["--priority", "high"],
    ["--insecure", "--hidden"], ["--insecure", "--security", "sae"],
    ["--insecure", "--priority", "1"], ["--use-current-network"],
  ])
  func aNetworkThatCannotBeIsAUsageError(_ arguments: [String]) {
    #expect(throws: UsageError.self) {
      let request = try Settings.program.parse(
        (["connect", "Kitchen", "--ssid", "Home"] + arguments).map { Array($0.utf8) })
      if case .run(let invocation) = request { _ = try Settings(invocation) }
    }
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
    ["forget", "a"], ["connect", "a", "--use-current-network", "--insecure"],
    ["connect", "a", "--use-current-network", "--password-stdin"],
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
    #expect(
      action
        == .connect(
          .name("Kitchen"), NetworkInput(NetworkDescription(ssid: try SSID(bytes)), password: nil),
          nil))
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
