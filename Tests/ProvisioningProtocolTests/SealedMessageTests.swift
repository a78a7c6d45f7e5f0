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
      var hidden: Bool?
      var enterprise: Enterprise?
      var ipv4: Addresses?
      var ipv6: Addresses?
      var priority: Int32?
      var deterministic: Bool
      var value: Hex
    }
    struct Enterprise: Decodable {
      var method: String
      var identity: String
      var anonymous_identity: String?
      var phase2: String?
      var password: Hex?
      var ca_certificate: Hex?
      var client_certificate: Hex?
      var client_key: Hex?
      var domain_suffix: String?
      var system_cas: Bool?
      var unvalidated: Bool?
    }
    /// A word, or an address chosen by hand.
    enum Addresses: Decodable {
      case word(String)
      case manual(Manual)

      struct Manual: Decodable {
        var address: String
        var prefix: UInt8
        var gateway: String?
        var dns: [String]

        func parsed<Address: InternetAddress>() throws -> ManualAddress<Address> {
          ManualAddress(
            address: try #require(Address(address)), prefixLength: prefix,
            gateway: try gateway.map { try #require(Address($0)) },
            dns: try dns.map { try #require(Address($0)) })
        }
      }

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let word = try? container.decode(String.self) {
          self = .word(word)
        } else {
          self = .manual(try container.decode(Manual.self))
        }
      }
    }
    struct Refused: Decodable {
      var name: String
      var id: UInt32
      var reason: String
      var value: Hex
    }
    struct Nonsense: Decodable {
      var name: String
      var reason: String
      var value: Hex
    }
    struct Evidence: Decodable {
      var summary: String
      var advice: String?
      var security: String?
      var rssi: Int8?
      var frequency: UInt32?
      var states: [[UInt32]]?
      var supplicant: [String]?
    }
    struct Link: Decodable {
      var frequency: UInt32?
      var ipv6: [String]?
      var gateways: [String]?
      var dns: [String]?
    }
    struct Tolerated: Decodable {
      var name: String
      var type: String
      var value: Hex
    }
    struct Network: Decodable {
      var ssid: Hex
      var security: String?
      var rssi: Int8
      var access_points: UInt32
      var bands: [UInt8]
      var known: Bool
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
      var evidence: Evidence?
      var link: Link?
      var tried: Hex?
      var risks: [String]?
      var networks: [Network]?
      var saved: [Saved]?
      var next: UInt32?
      var age: UInt32?
      var hidden: UInt32?
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
      var evidence: Evidence?
      var link: Link?
      var tried: Hex?
      var risks: [String]?
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
    var nonsense: [Nonsense]
    var tolerated: [Tolerated]
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
    case .provision: return .provision(try network(vector))
    case nil: throw UnknownWord(word: vector.method)
    }
  }

  private func network(_ vector: Content.Request) throws -> NetworkDescription {
    var network = NetworkDescription(
      ssid: try SSID(try #require(vector.ssid).bytes),
      security: try vector.security.map { try #require(NetworkSecurity(rawValue: $0)) },
      password: try WiFiPassword(SecretBytes(try #require(vector.password).bytes)),
      isHidden: vector.hidden ?? false, priority: vector.priority)
    if let enterprise = vector.enterprise {
      network.enterprise = EnterpriseCredentials(
        method: try #require(EAPMethod(rawValue: enterprise.method)),
        identity: enterprise.identity, anonymousIdentity: enterprise.anonymous_identity,
        phase2: enterprise.phase2.flatMap(Phase2Method.init),
        password: try WiFiPassword(SecretBytes(enterprise.password?.bytes ?? [])),
        caCertificate: enterprise.ca_certificate?.bytes,
        clientCertificate: enterprise.client_certificate?.bytes,
        clientKey: enterprise.client_key.map { SecretBytes($0.bytes) },
        domainSuffix: enterprise.domain_suffix, usesSystemCAs: enterprise.system_cas ?? false,
        skipsValidation: enterprise.unvalidated ?? false)
    }
    switch vector.ipv4 {
    case .word("optional"): network.ipv4 = .optional
    case .word("off"): network.ipv4 = .off
    case .manual(let address): network.ipv4 = .manual(try address.parsed())
    case .word(let word): throw UnknownWord(word: word)
    case nil: break
    }
    switch vector.ipv6 {
    case .word("off"): network.ipv6 = .off
    case .manual(let address): network.ipv6 = .manual(try address.parsed())
    case .word(let word): throw UnknownWord(word: word)
    case nil: break
    }
    return network
  }

  @Test func everyNetworkThatIsTakenMakesSense() throws {
    for vector in content.requests where vector.method == "provision" {
      let network = try network(vector)
      // The shortest vectors of the coding alone are not to be joined.
      if vector.security != "sae" || vector.password?.bytes.isEmpty == false {
        do throws(NetworkDescriptionError) {
          try network.check()
        } catch {
          if vector.name != "provision, of the largest size" {
            Issue.record("\(vector.name): \(error)")
          }
        }
      }
    }
  }

  @Test func whatCannotBeRightIsRefusedInWords() throws {
    for vector in content.nonsense {
      let request = try SealedRequest(decoding: secret(vector.value))
      guard case .provision(let network) = try request.method() else {
        Issue.record("\(vector.name)")
        continue
      }
      do throws(NetworkDescriptionError) {
        try network.check()
        Issue.record("\(vector.name) was taken")
      } catch {
        #expect(error.reason.name == vector.reason, "\(vector.name)")
        #expect(error.words.hasSuffix(".") && error.advice.hasSuffix("."), "\(vector.name)")
      }
    }
  }

  @Test func whatLaterMinorVersionsAddIsIgnored() throws {
    for vector in content.tolerated {
      guard
        case .response(_, .success(let value)) = try DeviceMessage(decoding: secret(vector.value))
      else {
        Issue.record("\(vector.name)")
        continue
      }
      switch vector.type {
      case "status-response":
        let status = try DeviceStatus(value)
        #expect(status.risks.isEmpty && !status.value.isReturning)
      default:
        let page = try ScanPage(value).page
        #expect(page.items.map(\.bands) == [[.two]])
      }
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

  private func status(
    _ value: Hex?, _ ssid: Hex?, _ evidence: Content.Evidence?, _ link: Content.Link?,
    _ tried: Hex?, _ risks: [String]?
  ) throws -> DeviceStatus {
    DeviceStatus(
      try ProvisioningStatus(decoding: try #require(value).bytes),
      ssid: try ssid.map { try SSID($0.bytes) },
      evidence: try evidence.map { evidence in
        AttemptEvidence(
          summary: evidence.summary, advice: evidence.advice,
          security: evidence.security.flatMap(NetworkSecurity.init), rssi: evidence.rssi,
          frequency: evidence.frequency,
          states: try (evidence.states ?? []).map {
            DeviceStateChange(state: try #require($0.first), reason: try #require($0.last))
          },
          supplicant: evidence.supplicant ?? [])
      },
      link: LinkDetails(
        frequency: link?.frequency, ipv6: try addresses(link?.ipv6),
        gateways: try addresses(link?.gateways), dns: try addresses(link?.dns)),
      triedSSID: try tried.map { try SSID($0.bytes) },
      risks: (risks ?? []).compactMap(Risk.init))
  }

  private func addresses<Address: LosslessStringConvertible>(
    _ words: [String]?
  ) throws -> [Address] {
    try (words ?? []).map { try #require(Address($0)) }
  }

  /// The result that a response should have, as its map.
  private func result(_ vector: Content.Response) throws -> CBORValue {
    switch RequestMethod.Name(rawValue: vector.method) {
    case .info:
      let details = DeviceDetails(
        methods: try #require(vector.methods).compactMap(RequestMethod.Name.init),
        obstacle: Reason.allCases.first { $0.name == vector.obstacle })
      return details.map
    case .status:
      return try status(
        vector.status, vector.ssid, vector.evidence, vector.link, vector.tried, vector.risks
      ).map
    case .scan:
      let networks = try #require(vector.networks).map {
        VisibleNetwork(
          ssid: try SSID($0.ssid.bytes),
          security: $0.security.flatMap(NetworkSecurity.init), rssi: $0.rssi,
          accessPointCount: $0.access_points, bands: $0.bands.compactMap(WiFiBand.init),
          isKnown: $0.known)
      }
      return ScanPage(
        ListPage(items: networks, next: vector.next), age: try #require(vector.age),
        hiddenCount: try #require(vector.hidden)
      ).map
    case .list:
      let networks = try #require(vector.saved).map {
        SavedNetwork(
          ssid: try SSID($0.ssid.bytes),
          security: $0.security.flatMap(NetworkSecurity.init), isInUse: $0.in_use,
          connectsAutomatically: $0.automatic)
      }
      return ListPage(items: networks, next: vector.next).map
    case .provision, .forget:
      let number = CBORValue.Entry(.unsigned(0), .unsigned(try #require(vector.number)))
      let risks = vector.risks.map {
        CBORValue.Entry(.unsigned(1), .array($0.map { .text($0) }))
      }
      return .map([number] + [risks].compactMap(\.self))
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
    case .scan: try ScanPage(value).map == value
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
        message = .status(
          try status(
            vector.status, vector.ssid, vector.evidence, vector.link, vector.tried, vector.risks))
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
          case "scan-response": _ = try ScanPage(value)
          case "status-response": _ = try DeviceStatus(value)
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
        VisibleNetwork(
          ssid: $0, security: .wpaPSK, rssi: -100, accessPointCount: .max,
          bands: WiFiBand.allCases, isKnown: true)
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
