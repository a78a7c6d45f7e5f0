import KeyFile
import RadioSimulator
import Testing

private func read(_ text: String) throws(KeyFileError) -> Scenario {
  try Scenario(
    KeyFile(contents: Array(text.utf8), file: "a/room.scenario"), path: "a/room.scenario")
}

@Suite struct ScenarioTests {
  @Test func aWholeRoom() throws {
    let scenario = try read(
      """
      [scenario]
      name = wrong-then-right
      summary = The wrong password first.
      [adapter hci0]
      address = 00:aa:01:00:00:07
      mtu = 23
      [adapter hci3]
      powered = no
      low-energy = no
      [board]
      security = open
      [wifi]
      managed = no
      [access-point home]
      ssid-hex = 48 6f 00
      security = wpa2-wpa3
      password = correct horse battery
      dhcp = no
      internet = portal
      [step 1]
      run = connect {device} --ssid "My Home" --password-stdin
      stdin = wrong password
      exit = 10
      state = failed
      reason = wrong-password
      """)
    #expect(scenario.name == "wrong-then-right")
    #expect(scenario.summary == "The wrong password first.")
    #expect(
      scenario.adapters == [
        SimulatedAdapter(0, address: "00:AA:01:00:00:07", mtu: 23),
        SimulatedAdapter(3, isPowered: false, hasLowEnergy: false),
      ])
    #expect(scenario.security == .open)
    #expect(scenario.station == SimulatedStation(isManaged: false))
    #expect(
      scenario.accessPoints == [
        SimulatedAccessPoint(
          name: "home", ssid: [0x48, 0x6f, 0], security: .wpa2AndWPA3,
          password: "correct horse battery", hasDHCP: false, internet: .portal)
      ])
    #expect(
      scenario.steps == [
        ScenarioStep(
          name: "1",
          arguments: ["connect", "{device}", "--ssid", "My Home", "--password-stdin"],
          input: "wrong password", exitStatus: 10, state: "failed", reason: "wrong-password")
      ])
  }

  @Test func everyKindOfNetwork() throws {
    let file = try KeyFile(
      contents: Array(
        """
        [wifi]
        ethernet = yes
        permission = no
        storage = read-only
        supplicant = silent
        [access-point office]
        ssid = Office
        security = wpa2-enterprise
        eap = ttls tls
        phase2 = pap
        identity = jane
        password = secret
        ca-cert = ScenarioTests.swift
        server-name = radius.office.example
        client-cert = Joiner.swift
        [access-point pair]
        ssid = Pair
        mode = ad-hoc
        ipv6 = yes
        address = conflict
        [access-point mixed]
        ssid = Mixed
        security = wpa2-wpa3
        password = correct horse battery
        sae-fails = yes
        copies = 3
        """.utf8), file: "every.scenario")
    let scenario = try Scenario(file, path: #filePath)
    #expect(
      scenario.station
        == SimulatedStation(
          hasEthernet: true, isPermitted: false, hasWritableStorage: false, hasSupplicant: false))
    var enterprise = try #require(scenario.accessPoints.first?.enterprise)
    #expect(enterprise.caCertificate?.isEmpty == false)
    #expect(enterprise.clientCertificate?.isEmpty == false)
    #expect(enterprise.caCertificate != enterprise.clientCertificate)
    enterprise.caCertificate = nil
    enterprise.clientCertificate = nil
    #expect(
      enterprise
        == EnterpriseNetwork(
          methods: [.ttls, .tls], innerMethods: [.pap], identity: "jane", password: "secret",
          serverName: "radius.office.example"))
    #expect(
      scenario.accessPoints[1]
        == SimulatedAccessPoint(
          name: "pair", ssid: Array("Pair".utf8), isAdHoc: true, hasIPv6: true,
          hasAddressConflict: true))
    let mixed = scenario.accessPoints.dropFirst(2)
    #expect(mixed.map(\.name) == ["mixed", "mixed 2", "mixed 3"])
    #expect(mixed.map(\.ssid) == ["Mixed", "Mixed 2", "Mixed 3"].map { Array($0.utf8) })
    #expect(mixed.allSatisfy { $0.failsSAE && $0.password == "correct horse battery" })
  }

  @Test func anEmptyFileIsARoomWithTwoAdapters() throws {
    #expect(try read("") == Scenario(name: "room"))
  }

  @Test(arguments: [
    ("[scenario]\nnmae=x\n", "a/room.scenario:2: [scenario] nmae: unknown key"),
    ("[room]\n", "a/room.scenario:1: [room]: unknown group"),
    ("[access-point]\nssid=x\n", "a/room.scenario:1: [access-point]: unknown group"),
    ("[access-point a]\n", "a/room.scenario:1: [access-point a] ssid: missing"),
    (
      "[access-point a]\nhidden=no\nssid=\n",
      "a/room.scenario:3: [access-point a] ssid: expected 1 to 32 bytes"
    ),
    (
      "[access-point a]\nssid=x\nsecurity=tkip\n",
      "a/room.scenario:3: [access-point a] security: expected open, owe, owe-transition, wep, wpa2, "
        + "wpa2-wpa3, wpa3, wpa2-enterprise"
    ),
    (
      "[access-point a]\nssid=x\npassword=y\n",
      "a/room.scenario:3: [access-point a] password: expected no password where security is open"
    ),
    (
      "[access-point a]\nssid=x\nsecurity=wpa3\n",
      "a/room.scenario:1: [access-point a] password: missing"
    ),
    (
      "[access-point a]\nssid=x\nidentity=y\n",
      "a/room.scenario:3: [access-point a] identity: unknown key"
    ),
    (
      "[access-point a]\nssid=x\nsecurity=wpa2-enterprise\npassword=y\n",
      "a/room.scenario:1: [access-point a] identity: missing"
    ),
    (
      "[access-point a]\nssid=x\nsecurity=wpa2-enterprise\neap=leap\n",
      "a/room.scenario:4: [access-point a] eap: expected words out of peap, ttls, tls"
    ),
    (
      "[access-point a]\nssid=x\nsecurity=wpa2-enterprise\nidentity=y\neap=tls\n",
      "a/room.scenario:1: [access-point a] client-cert: missing"
    ),
    (
      "[access-point a]\nssid=x\nsecurity=wpa2-enterprise\nidentity=y\nca-cert=none.pem\n",
      "a/room.scenario:5: [access-point a] ca-cert: expected a file that can be read"
    ),
    ("[wifi]\nstorage=full\n", "a/room.scenario:2: [wifi] storage: expected writable, read-only"),
    ("[step 1]\nexit=0\n", "a/room.scenario:1: [step 1] run: missing"),
    ("[step 1]\nrun=scan 'x\n", "a/room.scenario:2: [step 1] run: expected closed quotation marks"),
    (
      "[step 1]\nrun=scan\nexit=x\n",
      "a/room.scenario:3: [step 1] exit: expected a whole number from 0 to 255"
    ),
    (
      "[adapter hci0]\naddress=00:11\n",
      "a/room.scenario:2: [adapter hci0] address: expected an address such as 00:AA:01:00:00:01"
    ),
    (
      "[adapter zero]\n",
      "a/room.scenario:1: [adapter zero]: expected a group such as [adapter hci0]"
    ),
  ])
  func errorsNameFileLineAndKey(text: String, message: String) throws {
    let error = try #require(throws: KeyFileError.self) { try read(text) }
    #expect(error.description == message)
  }
}
