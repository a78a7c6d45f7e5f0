import ProvisioningAgent
import ProvisioningProtocol
import Testing

private let link = WiFiLink(
  ipv4: IPv4Address("192.0.2.7"), rssi: -50, connectivity: .full)

@Suite struct OpeningTests {
  @Test func whatIsOnlineCannotBeSeen() throws {
    let board = try Harness(
      policy: OpeningPolicy(), bluetooth: .idle,
      wifi: StationState(link: link, hasSavedNetwork: true))
    #expect(board.peripheral.calls.first == .start(nil))
    #expect(board.peripheral.advertised == nil)
    #expect(board.clock.timerCount == 0)
    #expect(board.lines.count(of: "closed, for the device is connected") == 1)
  }

  @Test func aFreshBoardIsOpenAndClosesAfterSuccess() throws {
    let board = try Harness(policy: OpeningPolicy(), bluetooth: .idle)
    #expect(board.peripheral.advertised?.state == .notProvisioned)
    #expect(board.provision("Home", "correct horse") == nil)
    board.reach(.associating)
    board.finish(.connected(link, saved: true))
    board.wifi(StationState(link: link, hasSavedNetwork: true))
    board.wait(40)
    #expect(board.peripheral.advertised != nil)
    board.disconnect()
    board.wait(29)
    #expect(board.peripheral.advertised != nil)
    board.wait(1)
    #expect(board.peripheral.advertised == nil)
    #expect(board.clock.timerCount == 0)
    let kinds = board.observer.events.map {
      switch $0 {
      case .opened: "opened"
      case .closed: "closed"
      case .sessionBegan: "session"
      case .sessionEnded: "end"
      case .connected: "connected"
      case .failed: "failed"
      case .forgotten: "forgotten"
      }
    }
    #expect(kinds == ["opened", "session", "connected", "end", "closed"])
    // Gone for good.
    board.wifi(StationState(hasSavedNetwork: true))
    board.wait(60)
    #expect(board.peripheral.advertised?.state == .notProvisioned)
  }

  @Test func ethernetCountsAsTheOwnerSays() throws {
    for counts in [true, false] {
      let board = try Harness(
        policy: OpeningPolicy(countsOtherConnections: counts), bluetooth: .idle,
        wifi: StationState(hasOtherConnection: true))
      #expect((board.peripheral.advertised == nil) == counts)
    }
  }

  @Test func byHandItOpensAndCloses() throws {
    let board = try Harness(policy: OpeningPolicy(mode: .manual), bluetooth: .idle)
    let agent = board.agent
    #expect(board.peripheral.advertised == nil)
    board.executor.run { agent.assumeIsolated { $0.open(for: .seconds(60)) } }
    #expect(board.peripheral.advertised != nil)
    #expect(board.windows.memory?.openedByHandUntil == .seconds(60))
    // Who is there when it is closed is let go.
    #expect(board.write("Home", to: .ssid) == nil)
    board.executor.run { agent.assumeIsolated { $0.close() } }
    #expect(board.peripheral.advertised == nil)
    #expect(board.observer.states.last?.session == nil)
    #expect(board.observer.states.last?.openState == .closed(.byHand))
    #expect(board.windows.memory?.isClosedByHand == true)
    #expect(board.clock.timerCount == 0)
  }

  @Test func aFailureIsToldOnceToThoseWhoLookOn() throws {
    let board = try Harness(wifi: StationState(link: link))
    board.provision("Home", "wrong horse")
    board.reach(.authenticating)
    board.fail(.wrongPassword)
    board.finish(.rolledBack(.wrongPassword, link))
    let failures = board.observer.events.compactMap {
      if case .failed(let status) = $0 { status } else { nil }
    }
    #expect(failures.map(\.value.reason) == [.wrongPassword])
  }

  @Test func aCloseDuringAnAttemptLetsItGoOn() throws {
    let board = try Harness()
    let agent = board.agent
    board.provision("Home", "correct horse")
    board.executor.run { agent.assumeIsolated { $0.close() } }
    #expect(board.peripheral.advertised == nil)
    #expect(board.station.isJoining)
    board.finish(.connected(link, saved: true))
    #expect(board.peripheral.advertised == nil)
  }
}
