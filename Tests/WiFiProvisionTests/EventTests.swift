import Provisioner
import ProvisioningProtocol
import Testing

@testable import wifi_provision

struct EventTests {
  private let schema: JSONSchema
  private let id: DeviceID

  init() throws {
    schema = try JSONSchema.events()
    id = try #require(DeviceID("0123456789ab"))
  }

  private func check(_ event: Event) throws {
    let line = event.line
    #expect(line.hasSuffix("\n") && line.count(where: { $0.isNewline }) == 1)
    try schema.check(line)
  }

  @Test func devices() throws {
    let address = try #require(PeerAddress("aa:bb:cc:dd:ee:ff"))
    for state in (0...15).map({ AdvertisedState(rawValue: $0) }) {
      for (name, rssi) in [("Kitchen\n\u{1B}[2J\"", -40), (nil, nil)] as [(String?, Int?)] {
        let data = ProvisioningAdvertisement(
          state: state, flags: [.plainAccepted, .authorizationRequired], deviceID: id)
        let heard = Advertisement(
          address: address, name: name, rssi: rssi, serviceData: data.encoded)
        try check(.device(try #require(DeviceSighting(heard))))
      }
    }
  }

  @Test func aDeviceAsTheSpecificationShowsIt() throws {
    let data = ProvisioningAdvertisement(
      state: .notProvisioned, flags: .plainAccepted, deviceID: id)
    let heard = Advertisement(
      address: try #require(PeerAddress("AA:BB:CC:DD:EE:FF")), name: "Kitchen", rssi: nil,
      serviceData: data.encoded)
    let expected = """
      {"address":"AA:BB:CC:DD:EE:FF","authorization_required":false,"code_required":false,\
      "event":"device","id":"0123456789ab","name":"Kitchen","plain":true,"rssi":null,\
      "state":"not-provisioned"}

      """
    #expect(Event.device(try #require(DeviceSighting(heard))).line == expected)
  }

  @Test func connections() throws {
    try check(.connecting(attempt: 1))
    try check(.connectedToDevice)
  }

  @Test func information() throws {
    try check(.information(DeviceInformation(deviceID: id, name: "")))
    try check(
      .information(
        DeviceInformation(
          deviceID: id, name: "Kitchen", model: "A", firmware: "1.0",
          profiles: ProvisioningProfile.allCases, securities: NetworkSecurity.allCases,
          features: DeviceFeature.allCases)))
  }

  @Test func states() throws {
    for code in UInt8.min...UInt8.max {
      try check(
        .state(
          DeviceStatus(
            ProvisioningStatus(
              state: ProvisioningState(rawValue: code), reason: Reason(rawValue: code),
              connectivity: Connectivity(rawValue: code), attempt: code))))
    }
    let status = ProvisioningStatus(ipv4: IPv4Address("192.0.2.7"), rssi: -128)
    let evidence = AttemptEvidence(
      summary: "reason 15\n\u{1B}", security: .sae, rssi: -128, frequency: 5955,
      states: [DeviceStateChange(state: 120, reason: .max)], supplicant: ["auth status 1"])
    let link = LinkDetails(
      frequency: 2412, ipv6: [try #require(IPv6Address("2001:db8::1"))],
      gateways: [try #require(IPAddress("192.0.2.1")), try #require(IPAddress("fe80::1"))],
      dns: [try #require(IPAddress("2001:db8::53"))])
    for ssid in try [Array("Home\"\n".utf8), [0xFF], [0]].map({ try SSID($0) }) {
      try check(
        .state(
          DeviceStatus(
            status, ssid: ssid, evidence: evidence, link: link, triedSSID: ssid,
            risks: Risk.allCases)))
    }
  }

  @Test func networks() throws {
    for ssid in try [Array("Home".utf8), Array(repeating: 0xFF, count: 32)].map({ try SSID($0) }) {
      for security in NetworkSecurity.allCases + [nil] {
        try check(
          .network(
            VisibleNetwork(
              ssid: ssid, security: security, rssi: -128, accessPointCount: UInt32.max,
              bands: WiFiBand.allCases, isKnown: true)))
      }
    }
    try check(.seen(VisibleNetworks(networks: [], age: .max, hiddenCount: .max)))
    try check(.risks(Risk.allCases))
    try check(.currentNetwork(NetworkDescription(ssid: try SSID([0xFF]))))
    try check(
      .savedNetwork(
        SavedNetwork(
          ssid: try SSID([0xFF]), security: .sae, isInUse: true, connectsAutomatically: false)))
    let line = Event.network(
      VisibleNetwork(
        ssid: try SSID([0x48, 0xFF]), security: nil, rssi: -40, accessPointCount: 2)
    ).line
    #expect(line.contains(#""ssid":null,"ssid_hex":"48ff""#))
  }

  @Test func secureSessions() throws {
    try check(.secured)
    try check(.details(DeviceDetails(methods: RequestMethod.Name.allCases)))
    for reason in Reason.allCases {
      try check(.details(DeviceDetails(methods: [], obstacle: reason)))
    }
  }

  @Test func results() throws {
    for result in CommandResultTests.all { try check(.result(result)) }
  }
}
