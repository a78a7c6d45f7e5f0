import ProvisioningProtocol
import Secrets
import Testing

/// Nothing of a password stays in memory when the last value with it is gone.
///
/// One after another, for a search has copies of its own while it runs.
@Suite(.serialized) struct WipingTests {
  private let search: MemorySearch
  /// Letters that are nowhere else, for they are drawn here.
  ///
  /// As many as may be, since what is freed in larger pieces is not written over so soon.
  private let password = SecretBytes(count: 128) { bytes in
    for index in bytes.indices { bytes[index] = .random(in: 0x41...0x5A) }
  }
  /// What is looked for, since the start of what is freed is written over at once.
  private let end: SecretBytes

  init() throws {
    search = try MemorySearch()
    end = SecretBytes(password.suffix(16))
  }

  /// How often the end of the password is in memory, beside the two here.
  private var copies: Int { get throws { try search.copies(of: end) - 1 } }

  @Test func whatNobodyWipesIsFound() throws {
    do { _ = Array(password) }
    #expect(try copies > 0)
  }

  @Test func aSessionLeavesNoCopy() throws {
    try provision()
    #expect(try copies == 0)
  }

  private func provision() throws {
    let network = NetworkDescription(
      ssid: try SSID(Array("Home".utf8)), password: try WiFiPassword(password))
    let pipe = try SecurePipe(.provision(network))
    pipe.run()
    let joins = pipe.deviceActions.compactMap { action in
      if case .connect(let request) = action { request } else { nil }
    }
    #expect(joins.map(\.network.password.bytes) == [password])
    // What the device has read.
    #expect(try copies == 1)
  }

  @Test func aMessageLeavesNoCopy() throws {
    let network = NetworkDescription(
      ssid: try SSID(Array("Home".utf8)), password: try WiFiPassword(password))
    try network.check()
    let content = SealedRequest(id: 1, .provision(network)).encoded
    #expect(try copies == 1)
    try read(content)
    #expect(try copies == 1)
  }

  @Test func aKeyLeavesNoCopy() throws {
    do {
      let network = NetworkDescription(
        ssid: try SSID(Array("Home".utf8)),
        enterprise: EnterpriseCredentials(
          method: .tls, identity: "board", clientCertificate: [0x30], clientKey: password))
      let content = SealedRequest(id: 1, .provision(network)).encoded
      #expect(try copies == 1)
      // Its form is looked at, and how long all of it is.
      #expect(throws: NetworkDescriptionError.self) { try network.check() }
      let request = try SealedRequest(decoding: content)
      guard case .provision(let read) = try request.method() else {
        Issue.record("not a request to join a network")
        return
      }
      #expect(read.enterprise?.clientKey == password)
    }
    #expect(try copies == 0)
  }

  /// Another provisioner than ours may write byte strings so.
  @Test func aPasswordInPiecesLeavesNoCopy() throws {
    // {0: 1, 1: "provision", 2: {0: 'H', 2: (_ the whole password, '')}}
    let start: [UInt8] =
      [0xA3, 0, 1, 1, 0x69] + Array("provision".utf8)
      + [2, 0xA2, 0, 0x41, 0x48, 2, 0x5F, 0x58, UInt8(password.count)]
    let stop: [UInt8] = [0x40, 0xFF]
    let content = SecretBytes([SecretBytes(start), password, SecretBytes(stop)].joined())
    #expect(try copies == 1)
    try read(content)
    #expect(try copies == 1)
  }

  private func read(_ content: SecretBytes) throws {
    guard case .provision(let network) = try SealedRequest(decoding: content).method() else {
      Issue.record("not a request to join a network")
      return
    }
    #expect(network.password.bytes == password)
  }
}
