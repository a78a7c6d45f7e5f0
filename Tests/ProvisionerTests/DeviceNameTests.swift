import Provisioner
import ProvisioningProtocol
import Testing

struct DeviceNameTests {
  @Test func twelveHexadecimalDigitsAreAnID() throws {
    let id = try #require(DeviceID("0123456789ab"))
    #expect(DeviceName("0123456789AB") == .id(id))
  }

  @Test func sixPairsAreAnAddress() throws {
    let address = try #require(PeerAddress("AA:BB:CC:DD:EE:FF"))
    #expect(DeviceName("aa:bb:cc:dd:ee:ff") == .address(address))
  }

  @Test(arguments: [
    "Kitchen", "0123456789a", "0123456789abc", "aa:bb:cc:dd:ee", "aa:bb:cc:dd:ee:f", "aabbccddeegg",
    "a:bb:cc:dd:ee:fff", "aa:bb:cc:dd:ee:ff:", "０１:bb:cc:dd:ee:ff",
  ])
  func anythingElseIsAName(_ text: String) { #expect(DeviceName(text) == .name(text)) }

  @Test func noTextIsNoName() { #expect(DeviceName("") == nil) }

  @Test func aNameMatchesAsItGoesOut() throws {
    let full = "The sensor in the kitchen of the old house"
    let sent = ProvisioningAdvertisement.advertisedName(full)
    let device = try #require(DeviceSighting(try advertisement(name: sent)))
    #expect(sent != full)
    #expect(DeviceName.name(full).matches(device))
    #expect(!DeviceName.name("The sensor").matches(device))
  }
}
