import ProvisioningProtocol
import Secrets
import Testing

/// Both machines, with somebody between them who means harm.
///
/// Whatever is done, the device never joins another network than the provisioner asked for, and the
/// provisioner never shows what the device did not say.
struct HostilePipeTests {
  private let job: SecureSession.Job
  private let request: ConnectRequest

  init() throws {
    let ssid = try SSID(Array("Home".utf8))
    let password = try WiFiPassword(SecretBytes("correct horse".utf8))
    job = .provision(NetworkDescription(ssid: ssid, password: password))
    request = ConnectRequest(
      attempt: 1, network: NetworkDescription(ssid: ssid, password: password))
  }

  /// What may be done to the `index`th packet of a conversation.
  enum Mischief: CaseIterable {
    case flipFirstBit, flipLastBit, truncate, extend, drop, repeatIt, hold, replaceByFirst
  }

  /// The packets of an undisturbed conversation, to the end of the attempt.
  private func conversation() throws -> [SecurePipe.Packet] {
    let pipe = try SecurePipe(job)
    play(pipe)
    #expect(pipe.outcome != nil)
    return pipe.air
  }

  private func play(_ pipe: SecurePipe) {
    pipe.run()
    pipe.perform(pipe.device.attemptReached(.associating, of: 1))
    pipe.perform(
      pipe.device.attemptEnded(.connected(WiFiLink(), saved: true), of: 1, at: pipe.now))
  }

  @Test(arguments: Mischief.allCases) func onePacketIsTamperedWith(_ mischief: Mischief) throws {
    let count = try conversation().count
    #expect(count > 20)
    for target in 0..<count {
      let pipe = try SecurePipe(job)
      var index = 0
      var first: SecurePipe.Packet?
      var held: SecurePipe.Packet?
      pipe.interfere = { packet in
        defer { index += 1 }
        if first == nil { first = packet }
        guard index == target else {
          defer { held = nil }
          return [packet] + (held.map { [$0] } ?? [])
        }
        var bytes = packet.bytes
        switch mischief {
        case .flipFirstBit: bytes[0] ^= 0x80
        case .flipLastBit: bytes[bytes.count - 1] ^= 1
        case .truncate: bytes.removeLast()
        case .extend: bytes.append(0)
        case .drop: return []
        case .repeatIt: return [packet, packet]
        case .hold:
          held = packet
          return []
        case .replaceByFirst: bytes = first?.bytes ?? []
        }
        return [packet.with(bytes)]
      }
      play(pipe)
      // Whoever waits now gives up, or asks again.
      for _ in 0..<100 where pipe.outcome == nil { pipe.wait() }
      check(pipe, "\(mischief) of packet \(target)")
    }
  }

  private func check(_ pipe: SecurePipe, _ what: String) {
    #expect(pipe.outcome != nil, "\(what)")
    for case .connect(let joined) in pipe.deviceActions {
      #expect(joined == request, "\(what)")
    }
    let states: Set<ProvisioningState> = [.preparing, .associating, .connected, .failed]
    for status in pipe.shown { #expect(states.contains(status.value.state), "\(what)") }
  }

  /// Somebody relays everything, and tells the provisioner something else of the device.
  @Test func changedInformationIsFoundOut() throws {
    let honest = try DeviceInformation(decoding: SecurePipe.information())
    var downgraded = honest
    downgraded.profiles = [.secure, .plain]
    var renamed = honest
    renamed.name = "Bathroom"
    var weaker = honest
    weaker.securities = [.open]
    for changed in [downgraded, renamed, weaker] {
      let pipe = try SecurePipe(job, information: changed.encoded())
      pipe.run()
      #expect(!pipe.isOpened)
      #expect(pipe.outcome == .wrongCode(guessesLeft: 4))
      #expect(!pipe.deviceActions.contains { if case .connect = $0 { true } else { false } })
      #expect(pipe.device.owner == nil)
    }
  }

  /// What was said in one session means nothing in the next.
  @Test func anOldConversationCannotBePlayedAgain() throws {
    let old = try conversation()
    var device = try SecurePipe.device()
    var sent: [SessionMessage] = []
    for case .write(let segment) in old {
      var actions = device.write(
        segment, to: .session, from: SecurePipe.central, at: .zero
      ).actions
      while !actions.isEmpty {
        let action = actions.removeFirst()
        switch action {
        case .storeWrongGuesses: actions = device.wrongGuessesStored(true) + actions
        case .send(let message): sent.append(try SessionMessage(decoding: message))
        case .connect, .sessionSecured: Issue.record("the device took a replay")
        default: break
        }
      }
    }
    #expect(sent.first?.kind == .shareAndProof)
    // The proof is of no use, and the sealed request that follows begins no session.
    #expect(sent.dropFirst() == [.abort(.wrongCode(guessesLeft: 4)), .abort(.malformed)])
    #expect(device.owner == nil)
  }

  /// A record that was already opened, once more.
  @Test func aReplayedRecordEndsTheSession() throws {
    let pipe = try SecurePipe(job)
    pipe.run()
    #expect(pipe.isOpened)
    let packets = pipe.air
    let starts = packets.indices.filter { index in
      guard case .write(let bytes) = packets[index] else { return false }
      return bytes[0] & 0x80 != 0
    }
    // Message 01, message 03, and the request.
    #expect(starts.count == 3)
    for case .write(let segment) in packets[starts[2]...] { pipe.arrive(.write(segment)) }
    #expect(pipe.device.owner == nil)
    #expect(pipe.outcome == .aborted(.malformed))
    let joins = pipe.deviceActions.count { if case .connect = $0 { true } else { false } }
    #expect(joins == 1)
  }

  @Test(arguments: [[1], [0xC0, 1, 0, 0x77], [], [0xC0, 2, 0, 0x0F, 0x01]])
  func aMadeUpSegmentDoesNoMoreThanEndTheSession(_ segment: [UInt8]) throws {
    let toDevice = try SecurePipe(job)
    toDevice.run()
    toDevice.arrive(.write(segment))
    #expect(toDevice.outcome != nil || toDevice.device.owner == nil)
    let toProvisioner = try SecurePipe(job)
    toProvisioner.run()
    toProvisioner.arrive(.notification(segment))
    #expect(toProvisioner.outcome == .aborted(.malformed) || toProvisioner.outcome == nil)
    for _ in 0..<10 where toProvisioner.outcome == nil { toProvisioner.wait() }
    #expect(toProvisioner.outcome == .aborted(.malformed))
  }

  @Test func theIdentityPointAndPointsOffTheCurveAreRefused() throws {
    let off = [UInt8](repeating: 4, count: 65)
    for share in [off, [UInt8](repeating: 0, count: 65)] {
      var device = try SecurePipe.device()
      let segments = try SegmentWriter.segments(of: SessionMessage.share(share).encoded)
      let actions = segments.flatMap {
        device.write($0, to: .session, from: SecurePipe.central, at: .zero).actions
      }
      let abort = SessionMessage.abort(.malformed).encoded
      #expect(actions.contains(.send(abort)))
      #expect(!actions.contains { if case .storeWrongGuesses = $0 { true } else { false } })
      #expect(device.owner == nil)
    }
  }

  // MARK: A second central

  @Test func aSecondCentralInTheHandshakeIsBusyAndChangesNothing() throws {
    let other = CentralID(rawValue: "B")
    let count = try conversation().count
    let share = try SegmentWriter.segments(
      of: SessionMessage.share([UInt8](repeating: 4, count: 65)).encoded)
    // From the second packet on, for with the first one the session begins.
    for target in 1..<count {
      let pipe = try SecurePipe(job)
      var index = 0
      var answers: [ApplicationError?] = []
      pipe.interfere = { [unowned pipe] packet in
        if index == target {
          for segment in share {
            let response = pipe.device.write(segment, to: .session, from: other, at: .zero)
            answers.append(response.error)
            #expect(response.actions.isEmpty)
          }
          pipe.perform(pipe.device.disconnected(other))
        }
        index += 1
        return [packet]
      }
      play(pipe)
      #expect(answers.count == share.count && answers.allSatisfy { $0 == .busy })
      guard case .connected = pipe.outcome else {
        Issue.record("disturbed at packet \(target)")
        return
      }
    }
  }

  /// A provisioner that waits for its turn hears another's session, and none of it is its own.
  @Test func whoIsRefusedIgnoresWhatItHears() throws {
    let overheard = try conversation().compactMap { packet in
      if case .notification(let segment) = packet { segment } else { nil }
    }
    var session = try SecureSession(
      job, deviceID: SecurePipe.deviceID(), information: SecurePipe.information(),
      credentials: SecurePipe.credentials(), mtu: 23)
    _ = session.begin(at: .zero)
    for segment in overheard { #expect(session.notified(segment, at: .zero) == []) }
    let actions = session.subscribed(at: .zero)
    #expect(actions.count == 1)
    for segment in overheard { #expect(session.notified(segment, at: .zero) == []) }
    #expect(
      session.failed(.application(.busy), at: .zero) == [.finish(.notAccepted(.busy))])
  }

  // MARK: Time

  @Test func silenceInsideAMessageEndsIt() throws {
    var device = try SecurePipe.device()
    let segments = try SegmentWriter.segments(
      of: SessionMessage.share([UInt8](repeating: 4, count: 65)).encoded)
    _ = device.write(segments[0], to: .session, from: SecurePipe.central, at: .zero)
    #expect(device.deadline == .seconds(10))
    #expect(device.owner == SecurePipe.central)
    let actions = device.advance(to: .seconds(10))
    #expect(actions.contains(.send(SessionMessage.abort(.timedOut).encoded)))
    #expect(device.owner == nil && device.deadline == nil)
    // The rest comes too late, and begins nothing.
    let late = device.write(
      segments[1], to: .session, from: SecurePipe.central, at: .seconds(11))
    #expect(late.error == .notNow)
    #expect(device.owner == nil)
  }

  @Test func nobodyKeepsTheDeviceWithoutAProof() throws {
    let pipe = try SecurePipe(job)
    pipe.interfere = { if case .notification = $0 { [] } else { [$0] } }
    pipe.run()
    #expect(pipe.device.owner == SecurePipe.central)
    #expect(pipe.device.deadline == .seconds(30))
    pipe.perform(pipe.device.advance(to: .seconds(30)))
    #expect(pipe.device.owner == nil)
  }

  @Test func aSilentProvisionerLosesTheSession() throws {
    let pipe = try SecurePipe(.scan)
    pipe.run()
    #expect(pipe.device.deadline == DeviceSession.silenceLimit)
    pipe.perform(pipe.device.advance(to: DeviceSession.silenceLimit))
    #expect(pipe.device.owner == nil)
    #expect(pipe.outcome == .aborted(.timedOut))
  }

  // MARK: The plain profile

  @Test func theProofOpensNothingToPlainWrites() throws {
    let pipe = try SecurePipe(.scan)
    pipe.run()
    #expect(pipe.isOpened)
    let response = pipe.device.write(
      Array("Evil".utf8), to: .ssid, from: SecurePipe.central, at: .zero)
    #expect(response.error == .setupCodeRequired)
  }

  @Test func withoutASetupCodeThereIsNoSession() throws {
    var device = DeviceSession(mode: .code)
    let response = device.write(
      [0xC0, 1, 0, 1], to: .session, from: SecurePipe.central, at: .zero)
    #expect(response.error == .unsupported)
    #expect(device.owner == nil)
  }
}
