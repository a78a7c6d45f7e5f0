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
          ProvisioningStatus(
            state: ProvisioningState(rawValue: code), reason: Reason(rawValue: code),
            connectivity: Connectivity(rawValue: code), attempt: code)))
    }
    try check(.state(ProvisioningStatus(ipv4: IPv4Address("192.0.2.7"), rssi: -128)))
  }

  @Test func results() throws {
    for result in CommandResultTests.all { try check(.result(result)) }
  }
}
