import Testing

@testable import BluetoothLE

@Suite struct IdentifierTests {
  @Test(
    arguments: [
      ("FF00", "0000ff00-0000-1000-8000-00805f9b34fb", "FF00", 16),
      ("0000ff00-0000-1000-8000-00805F9B34FB", "0000ff00-0000-1000-8000-00805f9b34fb", "FF00", 16),
      ("12345678", "12345678-0000-1000-8000-00805f9b34fb", "12345678", 32),
      (
        "6e400001-b5a3-f393-e0a9-e50e24dcca9e", "6e400001-b5a3-f393-e0a9-e50e24dcca9e",
        "6E400001-B5A3-F393-E0A9-E50E24DCCA9E", 128
      ),
    ])
  func uuidsAreReadAndWritten(text: String, long: String, short: String, width: Int) throws {
    let uuid = try #require(BluetoothUUID(text))
    #expect(uuid.longText == long)
    #expect(uuid.description == short)
    #expect(uuid.bitWidth == width)
    #expect(BluetoothUUID(long) == uuid)
  }

  @Test(
    arguments: [
      "", "FF0", "FF000", "GG00", "+F00", "0xFF00", "0000ff00-0000-1000-8000-00805f9b34f",
      "0000ff00000010008000-00805f9b34fb----", "0000ff00-0000-1000-8000-00805f9b34fbb",
    ])
  func otherTextIsNoUUID(text: String) { #expect(BluetoothUUID(text) == nil) }

  @Test func numbersMakeTheSameUUIDs() {
    #expect(BluetoothUUID(UInt16(0xFF00)) == BluetoothUUID("FF00"))
    #expect(BluetoothUUID(UInt32(0xFF00)) == BluetoothUUID("FF00"))
    #expect(BluetoothUUID(UInt32(0xDEAD_BEEF)).description == "DEADBEEF")
  }

  @Test func addressesAreReadInEitherCaseAndWrittenInUpper() throws {
    let address = try #require(BluetoothAddress("aa:bb:0c:Dd:EE:ff"))
    #expect(address.description == "AA:BB:0C:DD:EE:FF")
    #expect(address.bytes == [0xAA, 0xBB, 0x0C, 0xDD, 0xEE, 0xFF])
  }

  @Test(arguments: ["", "AA:BB:CC:DD:EE", "AA:BB:CC:DD:EE:F", "AA:BB:CC:DD:EE:FF:00", "AA-BB"])
  func otherTextIsNoAddress(text: String) { #expect(BluetoothAddress(text) == nil) }

  @Test func adaptersAreSelectedByNameOrAddress() {
    #expect(AdapterSelection("hci12") == .named("hci12"))
    #expect(
      AdapterSelection("AA:BB:CC:DD:EE:FF")
        == BluetoothAddress("AA:BB:CC:DD:EE:FF").map { .address($0) })
    for text in ["", "hci", "hcix", "wlan0", "hci-1"] { #expect(AdapterSelection(text) == nil) }
  }
}
