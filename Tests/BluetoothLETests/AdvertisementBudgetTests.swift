import Testing

@testable import BluetoothLE

private let short = BluetoothUUID(UInt16(0xFF00))

@Suite struct AdvertisementBudgetTests {
  @Test func theFlagsAreCounted() throws {
    #expect(try AdvertisementBudget.check(AdvertisementData()) == 3)
  }

  @Test func aListAndServiceDataAreCounted() throws {
    let data = AdvertisementData(
      localName: String(repeating: "n", count: 100),
      serviceUUIDs: [short, BluetoothUUID(UInt16(0xFF10))],
      serviceData: [short: Array(repeating: 0, count: 10)])
    #expect(try AdvertisementBudget.check(data) == 23)
  }

  @Test func widthsHaveAListEach() throws {
    let long = try #require(BluetoothUUID("6e400001-b5a3-f393-e0a9-e50e24dcca9e"))
    #expect(try AdvertisementBudget.check(AdvertisementData(serviceUUIDs: [long])) == 21)
    #expect(try AdvertisementBudget.check(AdvertisementData(serviceUUIDs: [long, short])) == 25)
    // bluetoothd writes 32 bits as 128.
    let middle = BluetoothUUID(UInt32(0x1234_5678))
    #expect(try AdvertisementBudget.check(AdvertisementData(serviceUUIDs: [middle])) == 21)
  }

  @Test func theLastByteFitsAndTheNextDoesNot() throws {
    var data = AdvertisementData(serviceUUIDs: [short])
    data.serviceData[short] = Array(repeating: 0, count: 20)
    #expect(try AdvertisementBudget.check(data) == 31)
    data.serviceData[short] = Array(repeating: 0, count: 21)
    let error = #expect(throws: BluetoothError.self) { try AdvertisementBudget.check(data) }
    #expect(error?.code == .advertisementTooLong(.serviceData(short)))
    #expect(
      error?.message == "the service data of FF00 takes 25 bytes, and 24 of 31 are left")
  }

  @Test func thePartThatDoesNotFitIsNamed() {
    let many = AdvertisementData(serviceUUIDs: (0..<14).map { BluetoothUUID(UInt16($0)) })
    #expect(throws: BluetoothError.self) { try AdvertisementBudget.check(many) }
    let company = AdvertisementData(manufacturerData: [0x004C: Array(repeating: 0, count: 25)])
    let error = #expect(throws: BluetoothError.self) { try AdvertisementBudget.check(company) }
    #expect(error?.code == .advertisementTooLong(.manufacturerData(0x004C)))
  }

  @Test(
    arguments: [
      ("short", "short"),
      (String(repeating: "x", count: 29), String(repeating: "x", count: 29)),
      (String(repeating: "x", count: 30), String(repeating: "x", count: 29)),
      (String(repeating: "x", count: 28) + "é", String(repeating: "x", count: 28)),
      (String(repeating: "😀", count: 8), String(repeating: "😀", count: 7)),
    ])
  func namesAreCutBetweenCharacters(name: String, expected: String) {
    #expect(AdvertisementBudget.fitting(name) == expected)
  }
}
