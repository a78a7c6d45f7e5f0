import CBOR
import ProvisioningProtocol
import Secrets
import Testing

/// What the specification's files say of single values.
struct CodecVectorTests {
  private struct Invalid: Decodable {
    var name: String
    var value: Hex
    var error: String
  }

  // MARK: Advertisement

  private struct Advertisements: Decodable {
    struct Valid: Decodable {
      var name: String
      var value: Hex
      var state: String
      var plain: Bool
      var code_required: Bool
      var authorization_required: Bool
      var id: String
    }
    struct Complete: Decodable {
      var name: String
      var advertising_data: Hex
      var scan_response: Hex
    }
    struct Name: Decodable {
      var name: String
      var advertised: String
    }
    var valid: [Valid]
    var invalid: [Invalid]
    var complete: [Complete]
    var names: [Name]
  }

  @Test func advertisements() throws {
    let vectors: Advertisements = try Vectors.load("advertisement.json")
    for vector in vectors.valid {
      let advertisement = try ProvisioningAdvertisement(decoding: vector.value.bytes)
      #expect(advertisement.state.name == vector.state, "\(vector.name)")
      #expect(advertisement.flags.contains(.plainAccepted) == vector.plain, "\(vector.name)")
      #expect(
        advertisement.flags.contains(.setupCodeRequired) == vector.code_required, "\(vector.name)")
      #expect(
        advertisement.flags.contains(.authorizationRequired) == vector.authorization_required)
      #expect(advertisement.deviceID.description == vector.id, "\(vector.name)")
      #expect(advertisement.encoded == Array(vector.value.bytes.prefix(10)), "\(vector.name)")
    }
    for vector in vectors.invalid {
      do throws(ProvisioningAdvertisement.DecodingError) {
        _ = try ProvisioningAdvertisement(decoding: vector.value.bytes)
        Issue.record("\(vector.name) was taken")
      } catch {
        let word =
          switch error {
          case .foreign: "foreign"
          case .truncated: "truncated"
          case .unsupportedVersion: "unsupported-version"
          }
        #expect(word == vector.error, "\(vector.name)")
      }
    }
    for vector in vectors.complete {
      #expect(vector.advertising_data.bytes.count == 23 && vector.scan_response.bytes.count <= 31)
      let serviceData = Array(vector.advertising_data.bytes.dropFirst(3 + 6 + 4))
      #expect(throws: Never.self) { try ProvisioningAdvertisement(decoding: serviceData) }
    }
    for vector in vectors.names {
      #expect(ProvisioningAdvertisement.advertisedName(vector.name) == vector.advertised)
    }
  }

  // MARK: Status

  private struct Statuses: Decodable {
    struct Valid: Decodable {
      var name: String
      var value: Hex
      var state: String
      var reason: String
      var connectivity: String
      var attempt: UInt8
      var ipv4: String?
      var rssi: Int8?
      var returning: Bool
    }
    var valid: [Valid]
    var invalid: [Invalid]
  }

  @Test func statuses() throws {
    let vectors: Statuses = try Vectors.load("status.json")
    for vector in vectors.valid {
      let status = try ProvisioningStatus(decoding: vector.value.bytes)
      #expect(status.state.name == vector.state, "\(vector.name)")
      #expect(status.reason.name == vector.reason, "\(vector.name)")
      #expect(status.connectivity.name == vector.connectivity, "\(vector.name)")
      #expect(status.attempt == vector.attempt, "\(vector.name)")
      #expect(status.ipv4?.description == vector.ipv4, "\(vector.name)")
      #expect(status.rssi == vector.rssi, "\(vector.name)")
      #expect(status.isReturning == vector.returning, "\(vector.name)")
      #expect(status.encoded.prefix(10) == vector.value.bytes.prefix(10), "\(vector.name)")
      #expect(status.encoded[10] == (vector.returning ? 1 : 0), "\(vector.name)")
    }
    for vector in vectors.invalid {
      do throws(ProvisioningStatus.DecodingError) {
        _ = try ProvisioningStatus(decoding: vector.value.bytes)
        Issue.record("\(vector.name) was taken")
      } catch {
        let word =
          switch error {
          case .truncated: "truncated"
          case .unsupportedVersion: "unsupported-version"
          }
        #expect(word == vector.error, "\(vector.name)")
      }
    }
  }

  // MARK: Device information

  private struct Informations: Decodable {
    struct Information: Decodable {
      var version: String
      var id: String
      var name: String
      var model: String?
      var firmware: String?
      var profiles: [String]
      var securities: [String]
      var features: [String]
      var salt: Hex?
      var n: UInt64?
    }
    struct Valid: Decodable {
      var name: String
      var deterministic: Bool
      var information: Information
      var value: Hex
    }
    var valid: [Valid]
    var invalid: [Invalid]
  }

  @Test func deviceInformation() throws {
    let vectors: Informations = try Vectors.load("device-information.json")
    for vector in vectors.valid {
      let information = try DeviceInformation(decoding: vector.value.bytes)
      let version = "\(information.version.major).\(information.version.minor)"
      #expect(version == vector.information.version, "\(vector.name)")
      #expect(information.deviceID.description == vector.information.id, "\(vector.name)")
      #expect(information.name == vector.information.name, "\(vector.name)")
      #expect(information.model == vector.information.model, "\(vector.name)")
      #expect(information.firmware == vector.information.firmware, "\(vector.name)")
      #expect(information.profiles.map(\.rawValue) == vector.information.profiles)
      #expect(information.securities.map(\.rawValue) == vector.information.securities)
      #expect(information.features.map(\.rawValue) == vector.information.features)
      #expect(information.stretching?.salt == vector.information.salt?.bytes)
      #expect(information.stretching?.cost == vector.information.n)
      if vector.deterministic {
        #expect(try information.encoded() == vector.value.bytes, "\(vector.name)")
      }
    }
    for vector in vectors.invalid {
      do throws(DeviceInformation.DecodingError) {
        _ = try DeviceInformation(decoding: vector.value.bytes)
        Issue.record("\(vector.name) was taken")
      } catch {
        let word =
          switch error {
          case .length: "length"
          case .malformed: "malformed"
          case .notAMap: "not-a-map"
          case .missing: "missing"
          case .wrongType: "wrong-type"
          case .unsupportedVersion: "unsupported-version"
          case .stretching: "stretching"
          }
        #expect(word == vector.error, "\(vector.name)")
      }
    }
  }

  // MARK: Credentials

  private struct Credentials: Decodable {
    struct Network: Decodable {
      var name: String
      var value: Hex
      var accepted: Bool
    }
    struct Password: Decodable {
      var name: String
      var value: Hex
      var fits: [String]
    }
    struct Refused: Decodable {
      var name: String
      var value: Hex
    }
    var ssids: [Network]
    var passwords: [Password]
    var refused_passwords: [Refused]
  }

  @Test func credentials() throws {
    let vectors: Credentials = try Vectors.load("credentials.json")
    for vector in vectors.ssids {
      #expect(((try? SSID(vector.value.bytes)) != nil) == vector.accepted, "\(vector.name)")
    }
    for vector in vectors.passwords {
      let password = try WiFiPassword(SecretBytes(vector.value.bytes))
      for security in NetworkSecurity.allCases where security != .wpaEAP {
        let fits = (try? password.check(for: security)) != nil
        #expect(fits == vector.fits.contains(security.rawValue), "\(vector.name), \(security)")
      }
    }
    for vector in vectors.refused_passwords {
      #expect(throws: WiFiPassword.FormatError.self, "\(vector.name)") {
        try WiFiPassword(SecretBytes(vector.value.bytes))
      }
    }
  }

  // MARK: Names

  private struct Names: Decodable {
    var states: [String: String]
    var reasons: [String: String]
    var connectivity: [String: String]
    var errors: [String: String]
  }

  @Test func names() throws {
    let vectors: Names = try Vectors.load("names.json")
    func number(_ text: String) throws -> UInt8 { try #require(UInt8(text, radix: 16)) }
    for (key, name) in vectors.states {
      #expect(ProvisioningState(rawValue: try number(key)).name == name)
    }
    for (key, name) in vectors.reasons {
      #expect(Reason(rawValue: try number(key)).name == name)
    }
    #expect(vectors.reasons.count == Reason.allCases.count)
    for (key, name) in vectors.connectivity {
      #expect(Connectivity(rawValue: try number(key)).name == name)
    }
    for (key, name) in vectors.errors {
      #expect(ApplicationError(rawValue: try number(key))?.reason.name == name)
    }
    #expect(vectors.errors.count == ApplicationError.allCases.count)
  }
}
