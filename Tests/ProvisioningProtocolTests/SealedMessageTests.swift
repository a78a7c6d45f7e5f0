import CBOR
import ProvisioningProtocol
import Secrets
import Testing

/// What sealed messages hold, by the specification's file.
struct SealedMessageTests {
  private struct Content: Decodable {
    struct Request: Decodable {
      var name: String
      var id: UInt32
      var method: String
      var from: UInt32?
      var ssid: Hex?
      var security: String?
      var password: Hex?
      var deterministic: Bool
      var value: Hex
    }
    struct Refused: Decodable {
      var name: String
      var id: UInt32
      var reason: String
      var value: Hex
    }
    struct Network: Decodable {
      var ssid: Hex
      var security: String?
      var rssi: Int8
      var access_points: UInt32
    }
    struct Saved: Decodable {
      var ssid: Hex
      var security: String?
      var in_use: Bool
      var automatic: Bool
    }
    struct Response: Decodable {
      var name: String
      var id: UInt32
      var method: String
      var value: Hex
      var methods: [String]?
      var obstacle: String?
      var status: Hex?
      var ssid: Hex?
      var evidence: String?
      var networks: [Network]?
      var saved: [Saved]?
      var next: UInt32?
      var number: UInt64?
      var reason: String?
      var explanation: String?
      var advice: String?
    }
    struct Event: Decodable {
      var name: String
      var value: Hex
      var status: Hex?
      var ssid: Hex?
      var evidence: String?
      var other: String?
    }
    struct Invalid: Decodable {
      var name: String
      var from: String
      var type: String
      var error: String
      var value: Hex
    }
    var requests: [Request]
    var refused: [Refused]
    var responses: [Response]
    var events: [Event]
    var invalid: [Invalid]
  }

  private let content: Content

  init() throws { content = try Vectors.load("sealed-messages.json") }

  private func method(_ vector: Content.Request) throws -> RequestMethod {
    switch RequestMethod.Name(rawValue: vector.method) {
    case .info: return .info
    case .status: return .status
    case .cancel: return .cancel
    case .identify: return .identify
    case .list: return .list(from: try #require(vector.from))
    case .scan: return .scan(from: try #require(vector.from))
    case .forget: return .forget(try SSID(try #require(vector.ssid).bytes))
    case .provision:
      return .provision(
        NetworkDescription(
          ssid: try SSID(try #require(vector.ssid).bytes),
          security: try vector.security.map { try #require(NetworkSecurity(rawValue: $0)) },
          password: try WiFiPassword(SecretBytes(try #require(vector.password).bytes))))
    case nil: throw UnknownWord(word: vector.method)
    }
  }

  private struct UnknownWord: Error { var word: String }

  private func secret(_ value: Hex) -> SecretBytes { SecretBytes(value.bytes) }

  @Test func requests() throws {
    #expect(Set(content.requests.map(\.method)).count == RequestMethod.Name.allCases.count)
    for vector in content.requests {
      let method = try method(vector)
      let request = try SealedRequest(decoding: secret(vector.value))
      #expect(request.id == vector.id, "\(vector.name)")
      #expect(try request.method() == method, "\(vector.name)")
      if vector.deterministic {
        #expect(
          Array(SealedRequest(id: vector.id, method).encoded) == vector.value.bytes,
          "\(vector.name)")
      }
    }
  }

  @Test func refusedRequests() throws {
    for vector in content.refused {
      let request = try SealedRequest(decoding: secret(vector.value))
      #expect(request.id == vector.id)
      do throws(RequestFailure) {
        _ = try request.method()
        Issue.record("\(vector.name) was taken")
      } catch {
        #expect(error.reason.name == vector.reason, "\(vector.name)")
        #expect(!error.explanation.isEmpty && error.advice != nil)
      }
    }
  }

  private func status(_ vector: Hex?, _ ssid: Hex?, _ evidence: String?) throws -> DeviceStatus {
    DeviceStatus(
      try ProvisioningStatus(decoding: try #require(vector).bytes),
      ssid: try ssid.map { try SSID($0.bytes) }, evidence: evidence)
  }

  /// The result that a response should have, as its map.
  private func result(_ vector: Content.Response) throws -> CBORValue {
    switch RequestMethod.Name(rawValue: vector.method) {
    case .info:
      let details = DeviceDetails(
        methods: try #require(vector.methods).compactMap(RequestMethod.Name.init),
        obstacle: Reason.allCases.first { $0.name == vector.obstacle })
      return details.map
    case .status: return try status(vector.status, vector.ssid, vector.evidence).map
    case .scan:
      let networks = try #require(vector.networks).map {
        VisibleNetwork(
          ssid: try SSID($0.ssid.bytes),
          security: $0.security.flatMap(NetworkSecurity.init), rssi: $0.rssi,
          accessPointCount: $0.access_points)
      }
      return ListPage(items: networks, next: vector.next).map
    case .list:
      let networks = try #require(vector.saved).map {
        SavedNetwork(
          ssid: try SSID($0.ssid.bytes),
          security: $0.security.flatMap(NetworkSecurity.init), isInUse: $0.in_use,
          connectsAutomatically: $0.automatic)
      }
      return ListPage(items: networks, next: vector.next).map
    case .provision, .forget:
      return .map([.init(.unsigned(0), .unsigned(try #require(vector.number)))])
    case .cancel: return .map([])
    default: throw UnknownWord(word: vector.method)
    }
  }

  @Test func responses() throws {
    for vector in content.responses {
      let message: DeviceMessage
      if let name = vector.reason {
        let failure = RequestFailure(
          reason: try #require(Reason.allCases.first { $0.name == name }),
          explanation: try #require(vector.explanation), advice: vector.advice)
        message = .response(id: vector.id, .failure(failure))
      } else {
        message = .response(id: vector.id, .success(try result(vector)))
      }
      #expect(try DeviceMessage(decoding: secret(vector.value)) == message, "\(vector.name)")
      #expect(Array(message.encoded) == vector.value.bytes, "\(vector.name)")
      try #expect(reread(message, of: vector.method), "\(vector.name)")
    }
  }

  /// Whether reading a result and writing it again gives the same.
  private func reread(_ message: DeviceMessage, of method: String) throws -> Bool {
    guard case .response(_, .success(let value)) = message else { return true }
    return switch RequestMethod.Name(rawValue: method) {
    case .info: try DeviceDetails(value).map == value
    case .status: try DeviceStatus(value).map == value
    case .scan: try ListPage<VisibleNetwork>(value).map == value
    case .list: try ListPage<SavedNetwork>(value).map == value
    default: true
    }
  }

  @Test func events() throws {
    for vector in content.events {
      let message: DeviceMessage
      if let other = vector.other {
        message = .otherEvent(other)
      } else {
        message = .status(try status(vector.status, vector.ssid, vector.evidence))
        #expect(Array(message.encoded) == vector.value.bytes, "\(vector.name)")
      }
      #expect(try DeviceMessage(decoding: secret(vector.value)) == message, "\(vector.name)")
    }
  }

  @Test func invalidMessages() throws {
    for vector in content.invalid {
      do throws(MessageError) {
        if vector.from == "provisioner" {
          _ = try SealedRequest(decoding: secret(vector.value))
        } else if case .response(_, .success(let value)) = try DeviceMessage(
          decoding: secret(vector.value))
        {
          switch vector.type {
          case "scan-response": _ = try ListPage<VisibleNetwork>(value)
          case "list-response": _ = try ListPage<SavedNetwork>(value)
          case "info-response": _ = try DeviceDetails(value)
          default: break
          }
        }
        Issue.record("\(vector.name) was taken")
      } catch {
        let word =
          switch error {
          case .malformed: "malformed"
          case .notAMap: "not-a-map"
          case .missing: "missing"
          case .invalid: "invalid"
          case .unsupported: "unsupported"
          }
        #expect(word == vector.error, "\(vector.name)")
      }
    }
  }

  @Test func thePagesMakeTheList() throws {
    let names = try (0..<40).map { try SSID([UInt8](repeating: UInt8($0), count: 32)) }
    try checkPages(
      of: names.map {
        VisibleNetwork(ssid: $0, security: .wpaPSK, rssi: -100, accessPointCount: .max)
      })
    try checkPages(
      of: names.map {
        SavedNetwork(ssid: $0, security: .wpaPSK, isInUse: false, connectsAutomatically: true)
      })
  }

  private func checkPages<Item: ListItem>(of list: [Item]) throws {
    for count in [0, 1, 15, 16, 17, 32, 33, 40] {
      let part = Array(list.prefix(count))
      var read: [Item] = []
      var index: UInt32? = 0
      while let from = index {
        let page = try #require(ListPage(of: part, from: from))
        let message = DeviceMessage.response(id: .max, .success(page.map)).encoded
        #expect(message.count <= 1100)
        read += page.items
        index = page.next
      }
      #expect(read == part)
      #expect(ListPage(of: part, from: UInt32(max(count, 1))) == nil)
    }
  }

  @Test func noTextShowsThePassword() throws {
    let password = try WiFiPassword(SecretBytes("correct horse".utf8))
    let network = NetworkDescription(ssid: try SSID(Array("Home".utf8)), password: password)
    #expect(!"\(RequestMethod.provision(network))".contains("horse"))
    #expect("\(SealedRequest(id: 1, .provision(network)))" == "request 1")
  }
}
