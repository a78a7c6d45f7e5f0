import CBOR
import ProvisioningProtocol
import Testing

struct DeviceInformationTests {
  private let information: DeviceInformation

  init() throws {
    information = DeviceInformation(
      deviceID: try #require(DeviceID("0123456789ab")), name: "Kitchen", model: "Board 1",
      firmware: "2.1", profiles: [.plain], securities: [.open, .owe, .wpaPSK, .sae],
      features: [.identify])
  }

  private func error(_ bytes: [UInt8]) -> DeviceInformation.DecodingError? {
    do throws(DeviceInformation.DecodingError) {
      _ = try DeviceInformation(decoding: bytes)
      return nil
    } catch {
      return error
    }
  }

  private func encoded(_ entries: [CBORValue.Entry]) -> [UInt8] { CBORValue.map(entries).encoded }

  @Test func survivesTheRoundTrip() throws {
    let bytes = try information.encoded()
    #expect(try DeviceInformation(decoding: bytes) == information)
    #expect(bytes.count < 100)
  }

  @Test func leavesOutWhatIsNotKnown() throws {
    let small = DeviceInformation(deviceID: information.deviceID, name: "")
    #expect(try DeviceInformation(decoding: small.encoded()) == small)
  }

  @Test func isAtMost500Bytes() throws {
    var information = self.information
    information.name = String(repeating: "n", count: 400)
    #expect(try information.encoded().count <= 500)
    information.name = String(repeating: "n", count: 500)
    #expect(throws: DeviceInformation.EncodingError.self) { try information.encoded() }
  }

  @Test func ignoresWhatLaterMinorVersionsAdd() throws {
    let bytes = encoded([
      .init(.unsigned(0), .array([.unsigned(1), .unsigned(7), .null])),
      .init(.unsigned(1), .init(bytes: information.deviceID.bytes)),
      .init(.unsigned(2), .text("x")),
      .init(.unsigned(5), .array([.text("telepathy"), .text("secure")])),
      .init(.unsigned(99), .map([])),
      .init(.text("key"), .null),
    ])
    let information = try DeviceInformation(decoding: bytes)
    #expect(information.version == DeviceInformation.Version(major: 1, minor: 7))
    #expect(information.profiles == [.secure])
  }

  @Test func namesWhatIsWrong() throws {
    let id = CBORValue.Entry(.unsigned(1), .init(bytes: information.deviceID.bytes))
    let version = CBORValue.Entry(.unsigned(0), .array([.unsigned(1), .unsigned(0)]))
    let name = CBORValue.Entry(.unsigned(2), .text("x"))
    #expect(error([]) == .length(0))
    #expect(error([UInt8](repeating: 0, count: 501)) == .length(501))
    #expect(error([UInt8](repeating: 0, count: 10_000)) == .length(10_000))
    #expect(error([0x00]) == .notAMap)
    #expect(error([0xA1]) == .malformed(.truncated))
    #expect(error([UInt8](repeating: 0x81, count: 400)) == .malformed(.tooDeep))
    #expect(error([UInt8](repeating: 0x81, count: 1000) + [0]) == .length(1001))
    #expect(error([0xA0]) == .missing(.version))
    #expect(error(encoded([version, name])) == .missing(.deviceID))
    #expect(error(encoded([version, id])) == .missing(.name))
    #expect(error(encoded([version, id, .init(.unsigned(2), .null)])) == .wrongType(.name))
    #expect(error(encoded([.init(.unsigned(0), .unsigned(1))])) == .wrongType(.version))
    #expect(
      error(encoded([version, name, .init(.unsigned(1), .init(bytes: [1]))]))
        == .wrongType(.deviceID))
    #expect(
      error(encoded([version, id, name, .init(.unsigned(5), .array([.null]))]))
        == .wrongType(.profiles))
    #expect(
      error(encoded([.init(.unsigned(0), .array([.unsigned(2), .unsigned(0)]))]))
        == .unsupportedVersion(DeviceInformation.Version(major: 2, minor: 0)))
  }

  @Test func endsAreNotMissed() throws {
    let bytes = try information.encoded()
    for count in 1..<bytes.count {
      #expect(error(Array(bytes.prefix(count))) == .malformed(.truncated))
    }
  }
}
