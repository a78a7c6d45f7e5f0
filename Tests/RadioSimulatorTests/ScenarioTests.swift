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
      "[access-point a]\nssid=x\nsecurity=wep\n",
      "a/room.scenario:3: [access-point a] security: expected open, owe, wpa2, wpa2-wpa3, wpa3"
    ),
    (
      "[access-point a]\nssid=x\npassword=y\n",
      "a/room.scenario:3: [access-point a] password: expected no password where security is open"
    ),
    (
      "[access-point a]\nssid=x\nsecurity=wpa3\n",
      "a/room.scenario:1: [access-point a] password: missing"
    ),
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
