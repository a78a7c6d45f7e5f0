import ProvisioningProtocol
import Testing

struct InternetAddressTests {
  @Test(arguments: [
    ("2001:db8::1", "2001:db8::1"), ("::", "::"), ("::1", "::1"), ("1::", "1::"),
    ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("0:0:0:1:0:0:0:0", "0:0:0:1::"),
    ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1:0:3:4:5:6:7:8", "1:0:3:4:5:6:7:8"),
    ("::ffff:192.0.2.7", "::ffff:c000:207"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
    ("fe80::1", "fe80::1"),
  ])
  func anIPv6AddressHasOneForm(text: String, form: String) throws {
    let address = try #require(IPv6Address(text))
    #expect(address.description == form)
    #expect(IPv6Address(form) == address)
    #expect(IPv6Address(bytes: address.bytes) == address)
    #expect(IPAddress(text) == .v6(address))
  }

  @Test(arguments: [
    "", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "+1::",
    "::1%eth0", "1:2:3:4:5:6:7::8", "192.0.2.7::", "::192.0.2", "::1:", ":1::", "2001:db8::1 ",
    "::٣",
  ])
  func otherTextIsNone(text: String) {
    #expect(IPv6Address(text) == nil)
    #expect(IPAddress(text) == nil)
  }

  @Test func someAddressesAreForNoMachine() throws {
    for text in ["0.0.0.0", "127.0.0.1", "224.0.0.1", "255.255.255.255"] {
      #expect(try !#require(IPv4Address(text)).isUnicast)
    }
    for text in ["::", "::1", "ff02::1"] { #expect(try !#require(IPv6Address(text)).isUnicast) }
    #expect(try #require(IPv4Address("192.0.2.7")).isUnicast)
    #expect(try #require(IPv6Address("fe80::1")).isUnicast)
    #expect(try #require(IPv6Address("fe80::1")).isLinkLocal)
    #expect(try !#require(IPv6Address("2001:db8::1")).isLinkLocal)
  }

  @Test func theBandOfAChannel() {
    #expect([2412, 2484].map { WiFiBand(frequency: $0) } == [.two, .two])
    #expect([5180, 5885].map { WiFiBand(frequency: $0) } == [.five, .five])
    #expect([5955, 7115].map { WiFiBand(frequency: $0) } == [.six, .six])
    #expect([0, 868, 60_480].map { WiFiBand(frequency: $0) } == [nil, nil, nil])
  }
}
