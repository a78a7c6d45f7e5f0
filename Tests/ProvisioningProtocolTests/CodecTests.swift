import ProvisioningProtocol
import Testing

struct ProvisioningAdvertisementTests {
  private static let bytes: [UInt8] = [0x57, 0x50, 1, 0x32, 1, 2, 3, 4, 5, 6]

  @Test func readsAndWritesElevenBytes() throws {
    let advertisement = try ProvisioningAdvertisement(decoding: Self.bytes)
    #expect(advertisement.state == .connecting)
    #expect(advertisement.flags == [.plainAccepted, .setupCodeRequired])
    #expect(advertisement.deviceID.description == "010203040506")
    #expect(advertisement.encoded == Self.bytes)
  }

  @Test func ignoresWhatLaterMinorVersionsAppend() throws {
    let advertisement = try ProvisioningAdvertisement(decoding: Self.bytes + [0xFF, 0xFF])
    #expect(advertisement.encoded == Self.bytes)
  }

  @Test func keepsUnknownStatesAndFlags() throws {
    var bytes = Self.bytes
    bytes[3] = 0x8F
    let advertisement = try ProvisioningAdvertisement(decoding: bytes)
    #expect(advertisement.state.name == "unknown-0f")
    #expect(advertisement.encoded == bytes)
  }

  @Test func namesWhatIsWrong() {
    func error(_ bytes: [UInt8]) -> ProvisioningAdvertisement.DecodingError? {
      do throws(ProvisioningAdvertisement.DecodingError) {
        _ = try ProvisioningAdvertisement(decoding: bytes)
        return nil
      } catch {
        return error
      }
    }
    #expect(error([]) == .foreign)
    #expect(error([0x57]) == .foreign)
    #expect(error([0x4E, 0x01] + Self.bytes.dropFirst(2)) == .foreign)
    for count in 2..<10 {
      #expect(error(Array(Self.bytes.prefix(count))) == .truncated(count: count))
    }
    #expect(error([0x57, 0x50, 2]) == .unsupportedVersion(2))
  }

  @Test func cutsTheNameBetweenCharacters() {
    #expect(ProvisioningAdvertisement.advertisedName("Kitchen") == "Kitchen")
    #expect(ProvisioningAdvertisement.advertisedName("") == "")
    let ascii = String(repeating: "a", count: 40)
    #expect(ProvisioningAdvertisement.advertisedName(ascii).utf8.count == 29)
    // 28 bytes, then a character of three: it goes as a whole.
    let euro = String(repeating: "a", count: 28) + "€"
    #expect(ProvisioningAdvertisement.advertisedName(euro) == String(repeating: "a", count: 28))
  }
}

struct ProvisioningStatusTests {
  private static let bytes: [UInt8] = [1, 7, 0x26, 4, 3, 192, 168, 1, 20, 0xC4, 0]

  @Test func readsAndWritesElevenBytes() throws {
    let status = try ProvisioningStatus(decoding: Self.bytes)
    #expect(status.state == .connected)
    #expect(status.reason == .notSaved)
    #expect(status.connectivity == .full)
    #expect(status.attempt == 3)
    #expect(status.ipv4?.description == "192.168.1.20")
    #expect(status.rssi == -60)
    #expect(status.encoded == Self.bytes)
  }

  @Test func zeroMeansThatThereIsNoAddressAndNoSignal() throws {
    let status = try ProvisioningStatus(decoding: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(status == ProvisioningStatus())
    #expect(ProvisioningStatus().encoded == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func tellsFailedFromFailedAndOnTheWayBack() throws {
    let back = ProvisioningStatus(state: .failed, reason: .rejected, isReturning: true)
    #expect(try ProvisioningStatus(decoding: back.encoded) == back)
    #expect(back.state.isFinal && !back.isLast)
    let failed = try ProvisioningStatus(decoding: Array(back.encoded.dropLast()))
    #expect(failed.state == .failed && failed.isLast)
  }

  @Test func ignoresWhatLaterMinorVersionsAppend() throws {
    let status = try ProvisioningStatus(decoding: Self.bytes + [0xAA, 0xBB])
    #expect(status.encoded == Self.bytes)
  }

  @Test func keepsUnknownValues() throws {
    let bytes: [UInt8] = [1, 0x33, 0x44, 0x55, 1, 0, 0, 0, 0, 0, 0]
    let status = try ProvisioningStatus(decoding: bytes)
    #expect(status.state.name == "unknown-33" && !status.state.isFinal)
    #expect(status.reason.name == "unknown-44")
    #expect(status.connectivity.name == "unknown-55")
    #expect(status.encoded == bytes)
  }

  @Test func namesWhatIsWrong() {
    for count in 0..<10 {
      #expect(throws: ProvisioningStatus.DecodingError.truncated(count: count)) {
        try ProvisioningStatus(decoding: Array(Self.bytes.prefix(count)))
      }
    }
    #expect(throws: ProvisioningStatus.DecodingError.unsupportedVersion(2)) {
      try ProvisioningStatus(decoding: [2])
    }
  }
}
