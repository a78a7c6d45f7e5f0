import Testing

@testable import BluetoothLE

private let uuid = BluetoothUUID(UInt16(0xFF01))
private let accept: LocalCharacteristic.Write = { _ throws(ATTError) in }

@Suite struct LocalTableTests {
  @Test(
    arguments: [
      LocalCharacteristic(uuid, properties: []),
      LocalCharacteristic(uuid, properties: .broadcast),
      LocalCharacteristic(uuid, properties: .read),
      LocalCharacteristic(uuid, properties: .notify, value: .fixed([])),
      LocalCharacteristic(uuid, properties: .write),
      LocalCharacteristic(uuid, properties: .notify, write: accept),
      LocalCharacteristic(uuid, properties: [.write, .writeWithoutResponse], write: accept),
      LocalCharacteristic(
        uuid, properties: .write, permissions: .readEncryptionRequired, write: accept),
      LocalCharacteristic(
        uuid, properties: .writeWithoutResponse, permissions: .writeEncryptionRequired,
        write: accept),
      LocalCharacteristic(
        uuid, properties: .read, value: .fixed(Array(repeating: 0, count: 513))),
    ])
  func whatBlueZWouldNotDoIsRefused(characteristic: LocalCharacteristic) {
    let error = #expect(throws: BluetoothError.self) {
      try LocalTable([
        LocalService(BluetoothUUID(UInt16(0xFF00)), characteristics: [characteristic])
      ])
    }
    #expect(error?.code == .invalidArguments)
  }

  @Test func permissionsBecomeBlueZsWords() {
    let properties: CharacteristicProperties = [.read, .write, .notify]
    #expect(properties.flags([]) == ["read", "write", "notify"])
    #expect(
      properties.flags(.writeEncryptionRequired) == ["read", "encrypt-write", "notify"])
    #expect(
      properties.flags([.readEncryptionRequired, .writeAuthenticationRequired])
        == ["encrypt-read", "encrypt-authenticated-write", "notify"])
  }

  @Test func aPasskeyHasSixDigits() {
    #expect(Passkey("000042")?.rawValue == 42)
    #expect(Passkey(rawValue: 42)?.description == "000042")
    #expect(Passkey(rawValue: 1_000_000) == nil)
    for text in ["42", "1234567", "12 456", "-12345", "+12345", ""] {
      #expect(Passkey(text) == nil)
    }
  }

  @Test(arguments: [[0xFF00, 0xFF00], [0x1800], [0x1801]] as [[UInt16]])
  func servicesThatCannotBeAreRefused(uuids: [UInt16]) {
    #expect(throws: BluetoothError.self) {
      try LocalTable(uuids.map { LocalService(BluetoothUUID($0), characteristics: []) })
    }
  }

  @Test func aCharacteristicIsThereOnce() {
    let twice = LocalCharacteristic(uuid, properties: .read, value: .fixed([1]))
    #expect(throws: BluetoothError.self) {
      try LocalTable([
        LocalService(BluetoothUUID(UInt16(0xFF00)), characteristics: [twice, twice])
      ])
    }
  }
}
