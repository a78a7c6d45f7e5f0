import ProvisioningProtocol
import Testing

struct DeviceIDTests {
  @Test func showsTwelveLowercaseDigits() {
    let id = DeviceID(bytes: [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB])
    #expect(id?.description == "0123456789ab")
    #expect(DeviceID("0123456789AB") == id)
  }

  @Test(arguments: [
    "", "0123456789a", "0123456789abc", "01:23:45:67:89", "0123456789ag", "+123456789ab",
    "٠١٢٣٤٥", "０123456789ab",
  ])
  func refusesOtherText(_ text: String) {
    #expect(DeviceID(text) == nil)
  }

  @Test(arguments: [0, 5, 7]) func refusesOtherLengths(_ count: Int) {
    #expect(DeviceID(bytes: [UInt8](repeating: 1, count: count)) == nil)
  }
}

struct IPv4AddressTests {
  @Test func readsAndShowsText() {
    #expect(IPv4Address("192.168.0.17")?.bytes == [192, 168, 0, 17])
    #expect(IPv4Address(bytes: [10, 0, 0, 255])?.description == "10.0.0.255")
  }

  @Test(arguments: [
    "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1..2.3", "1.2.3.+4", "a.b.c.d", "1.2.3.4 ",
  ])
  func refusesOtherText(_ text: String) {
    #expect(IPv4Address(text) == nil)
  }
}

struct AttributeTableTests {
  @Test func hasTheNumbersOfTheProtocol() {
    #expect(ProvisioningService.plain.rawValue == 0xFF00)
    #expect(ProvisioningService.secure.rawValue == 0xFF10)
    #expect(
      ProvisioningService.plain.characteristics.map(\.rawValue) == [0xFF01, 0xFF02, 0xFF03, 0xFF04])
    #expect(ProvisioningService.secure.characteristics.map(\.rawValue) == [0xFF11, 0xFF12])
  }

  @Test func allowsWhatTheProtocolAllows() {
    let properties = ProvisioningCharacteristic.allCases.map(\.properties)
    #expect(properties == [.write, .write, .write, [.read, .notify], .read, [.write, .notify]])
  }

  @Test func describesEachCharacteristic() {
    let texts = ProvisioningCharacteristic.allCases.map(\.userDescription)
    #expect(texts == ["SSID", "Password", "Control", "Status", "Device information", "Session"])
  }
}

struct ReasonTests {
  @Test func namesAreDistinctKebabCase() {
    let names = Reason.allCases.map(\.name)
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") })
    }
  }

  @Test func eachButNoneSaysWhatHappenedAndWhatToDo() {
    for reason in Reason.allCases where reason != .none {
      #expect(reason.explanation.hasSuffix("."), "\(reason.name)")
      #expect(reason.advice.hasSuffix("."), "\(reason.name)")
    }
    #expect(Reason.none.explanation.isEmpty && Reason.none.advice.isEmpty)
  }

  @Test func unknownOnesShowTheirNumber() {
    let reason = Reason(rawValue: 0x7E)
    #expect(reason.name == "unknown-7e")
    #expect(reason.explanation.contains("0x7e"))
    #expect(!reason.advice.isEmpty)
  }

  @Test func repeatEveryApplicationError() {
    for error in ApplicationError.allCases {
      #expect(ApplicationError(reason: error.reason) == error)
    }
    #expect(ApplicationError(reason: .wrongPassword) == nil)
    #expect(ApplicationError.allCases.map(\.rawValue) == Array(0x80...0x86))
  }
}
